// TLSContext: the server's certificates and what it offers.
// Spec: docs/tls.md

internal import COpenSSL
internal import Glibc
internal import Synchronization

/// The server's certificates and what it offers, shared by all listeners.
///
/// Any thread. Files are read in `init` and in ``reload()``, never on a shard.
public final class TLSContext: Sendable {
    /// The files of one certificate.
    public typealias Files = (certificate: String, key: String)

    private let files: [Files]
    private let current: Mutex<Handle>

    /// Loads certificates.
    ///
    /// - Parameter certificates: PEM files: the certificate with the chain behind it, and its private key. Several when
    ///   their keys are of different kinds, such as one of ECDSA and one of RSA; each client gets one that it can check.
    /// - Throws: ``TLSError``, which names the file.
    public init(certificates: [Files]) throws(TLSError) {
        files = certificates
        current = Mutex(try Handle(certificates))
    }

    /// Reads the same files again; connections that are accepted from now on get what they hold.
    ///
    /// Connections that stand are not touched.
    ///
    /// - Throws: ``TLSError``; what was loaded before then stays in use.
    public func reload() throws(TLSError) {
        let new = try Handle(files)
        current.withLock { $0 = new }
    }

    /// Begins a server's side of a connection; nil when memory is out.
    package func makeSession(_ pipe: TLSPipe) -> TLSSession? {
        // Under the lock: an `SSL` takes its own hold of the context.
        current.withLock { SSL_new($0.pointer) }.map { TLSSession($0, pipe) }
    }

    /// One `SSL_CTX`, freed with its last user.
    private final class Handle: Sendable {
        // Written only here; OpenSSL guards what it counts and caches in it.
        nonisolated(unsafe) let pointer: OpaquePointer

        init(_ files: [Files]) throws(TLSError) {
            guard !files.isEmpty else { throw .none }
            TLSErrorQueue.clear()
            guard let pointer = SSL_CTX_new(TLS_server_method()) else {
                throw .context(reason: TLSErrorQueue.takeText())
            }
            self.pointer = pointer
            try TLSPolicy.apply(to: pointer)
            var kinds: Set<Int32> = []
            for pair in files {
                let certificate = try Self.loadCertificate(pair.certificate, into: pointer)
                guard kinds.insert(EVP_PKEY_get_base_id(X509_get0_pubkey(certificate))).inserted else {
                    throw .sameKind(path: pair.certificate)
                }
                try Self.loadKey(pair, of: certificate, into: pointer)
            }
        }

        deinit {
            SSL_CTX_free(pointer)
        }

        private static func loadCertificate(_ path: String, into context: OpaquePointer) throws(TLSError)
            -> OpaquePointer
        {
            try requireReadable(path)
            guard SSL_CTX_use_certificate_chain_file(context, path) == 1,
                let certificate = SSL_CTX_get0_certificate(context)
            else { throw .certificate(path: path, reason: TLSErrorQueue.takeText()) }
            return certificate
        }

        private static func loadKey(
            _ files: Files, of certificate: OpaquePointer, into context: OpaquePointer
        ) throws(TLSError) {
            try requireReadable(files.key)
            // Without this OpenSSL would ask for the password on the terminal.
            var isEncrypted = false
            SSL_CTX_set_default_passwd_cb(context) { _, _, _, asked in
                asked?.assumingMemoryBound(to: Bool.self).pointee = true
                return -1
            }
            let isLoaded = withUnsafeMutablePointer(to: &isEncrypted) { asked in
                SSL_CTX_set_default_passwd_cb_userdata(context, asked)
                defer { SSL_CTX_set_default_passwd_cb_userdata(context, nil) }
                return SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM) == 1
            }
            guard isLoaded else {
                let reason = TLSErrorQueue.lastReason
                let text = TLSErrorQueue.takeText()
                guard !isEncrypted else { throw .encryptedKey(path: files.key) }
                guard reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH else {
                    throw .key(path: files.key, reason: text)
                }
                throw .mismatch(certificate: files.certificate, key: files.key)
            }
            // A key of another kind than the certificate's is accepted until here: it is put in that kind's own place.
            guard let key = SSL_CTX_get0_privatekey(context), X509_check_private_key(certificate, key) == 1 else {
                ERR_clear_error()
                throw .mismatch(certificate: files.certificate, key: files.key)
            }
        }

        /// OpenSSL's own words for a missing file are poor.
        private static func requireReadable(_ path: String) throws(TLSError) {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
            close(descriptor)
        }
    }
}
