// TLSTestPeer: OpenSSL's client side, in memory or on a socket.

import COpenSSL
import Glibc

/// How a test's client behaves.
struct TLSClientOptions {
    var versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION
    /// TLS 1.2 suites; nil for OpenSSL's own, at no security level, so that weak ones are really offered.
    var suites: String?
    var protocols: [String] = []
    var serverName: String?
    /// Signatures that the client can check; nil for all.
    var signatures: String?

    /// Makes the client's `SSL`; the context lives as long.
    func makeSSL() -> OpaquePointer? {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
        defer { SSL_CTX_free(context) }
        SSL_CTX_set_security_level(context, 0)
        _ = chalkline_ssl_set_min_version(context, versions.lowerBound)
        _ = chalkline_ssl_set_max_version(context, versions.upperBound)
        if let suites { SSL_CTX_set_cipher_list(context, suites) }
        if let signatures { _ = chalkline_ssl_set_signatures(context, signatures) }
        let offer = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offer.isEmpty { SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count)) }
        let ssl = SSL_new(context)
        if let ssl, let serverName { _ = chalkline_ssl_set_server_name(ssl, serverName) }
        return ssl
    }
}

/// What a client learned in the handshake.
enum TLSInspection {
    static func version(_ ssl: OpaquePointer) -> String { String(cString: SSL_get_version(ssl)) }

    static func suite(_ ssl: OpaquePointer) -> String {
        SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? ""
    }

    static func applicationProtocol(_ ssl: OpaquePointer) -> String {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// The name in the server's certificate.
    static func commonName(_ ssl: OpaquePointer) -> String {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return "" }
        defer { X509_free(certificate) }
        var text = [CChar](repeating: 0, count: 64)
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, &text, 64)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A client in memory: bytes are carried by the test.
final class TLSMemoryClient {
    let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    init?(_ options: TLSClientOptions = TLSClientOptions()) {
        guard let ssl = options.makeSSL(), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            return nil
        }
        self.ssl = ssl
        self.input = input
        self.output = output
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        SSL_do_handshake(ssl)
    }

    deinit {
        SSL_free(ssl)
        ERR_clear_error()
    }

    var isEstablished: Bool { SSL_is_init_finished(ssl) == 1 }

    /// Ciphertext for the server.
    func takeOutput() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(output)))
        if !bytes.isEmpty { BIO_read(output, &bytes, Int32(bytes.count)) }
        return bytes
    }

    /// Takes ciphertext of the server; gives plaintext and the alert that ended the session, if one did.
    func receive(_ ciphertext: [UInt8]) -> (plaintext: [UInt8], alert: Int32?, isClosed: Bool) {
        if !ciphertext.isEmpty { BIO_write(input, ciphertext, Int32(ciphertext.count)) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        ERR_clear_error()
        while true {
            let count = SSL_read(ssl, &buffer, Int32(buffer.count))
            if count > 0 {
                all += buffer[..<Int(count)]
                continue
            }
            let error = SSL_get_error(ssl, count)
            let reason = Int32(truncatingIfNeeded: ERR_peek_last_error() & 0x7F_FFFF)
            ERR_clear_error()
            return (
                all, error == SSL_ERROR_SSL && reason >= 1_000 ? reason - 1_000 : nil, error == SSL_ERROR_ZERO_RETURN
            )
        }
    }

    func send(_ plaintext: [UInt8]) { SSL_write(ssl, plaintext, Int32(plaintext.count)) }

    func close() { SSL_shutdown(ssl) }
}

/// A blocking client on a socket.
final class TLSTestClient {
    let ssl: OpaquePointer
    let tcp: TestClient

    /// Connects; ``isEstablished`` says whether the handshake succeeded.
    init?(port: UInt16, _ options: TLSClientOptions = TLSClientOptions(), receiveBuffer: Int32? = nil) throws {
        tcp = try TestClient(port: port, receiveBuffer: receiveBuffer)
        guard let ssl = options.makeSSL() else { return nil }
        self.ssl = ssl
        SSL_set_fd(ssl, tcp.descriptor)
        ERR_clear_error()
        SSL_connect(ssl)
        ERR_clear_error()
    }

    deinit {
        SSL_free(ssl)
        ERR_clear_error()
    }

    var isEstablished: Bool { SSL_is_init_finished(ssl) == 1 }

    func send(_ plaintext: [UInt8]) { SSL_write(ssl, plaintext, Int32(plaintext.count)) }

    /// Plaintext until so many bytes have come, the session ends or the time-out passes.
    func receive(_ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while all.count < count {
            let got = SSL_read(ssl, &buffer, Int32(min(buffer.count, count - all.count)))
            if got <= 0 { break }
            all += buffer[..<Int(got)]
        }
        ERR_clear_error()
        return all
    }

    /// Whether the server has said `close_notify`, once everything is read.
    var hasCloseNotify: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

    func close() { SSL_shutdown(ssl) }
}
