// TLSSession: TLS on one connection, without the connection.
// Spec: docs/tls.md; Source: RFC 8446, RFC 5246, SSL_read(3)

internal import COpenSSL

/// TLS on one connection, without the connection: ciphertext in, plaintext out, and the other way.
///
/// Confined to its shard. Between two calls the shared ``TLSPipe`` is empty, except between ``seal(_:)`` or ``close()``
/// and the ``keep()`` that follows them.
package final class TLSSession {
    /// Where the session stands.
    package enum State: Equatable {
        /// Nothing can be sealed yet.
        case handshaking
        /// Both ways.
        case established
        /// The peer has said `close_notify`; we may still send.
        case closedByPeer
        /// Over; an alert may be waiting to be sent.
        case failed(TLSFailure)
    }

    package private(set) var state = State.handshaking
    private let ssl: OpaquePointer
    private let pipe: TLSPipe
    /// Ciphertext that waits; empty unless the socket refused it or the handshake made it.
    private var waiting: [UInt8] = []
    private var waitingSent = 0
    private var handshakeByteCount = 0
    private var hasClosed = false

    /// Takes an `SSL` over.
    init(_ ssl: OpaquePointer, _ pipe: TLSPipe) {
        self.ssl = ssl
        self.pipe = pipe
        // One hold for the one BIO that is both sides.
        BIO_up_ref(pipe.bio)
        SSL_set_bio(ssl, pipe.bio, pipe.bio)
        SSL_set_accept_state(ssl)
    }

    deinit {
        SSL_free(ssl)
    }

    /// Whether plaintext can be sealed.
    package var canSeal: Bool { state == .established || state == .closedByPeer }

    // MARK: From the peer

    /// Decrypts what came.
    ///
    /// - Parameter ciphertext: At most ``TLSPipe/inputLimit`` bytes, taken whole.
    /// - Returns: The plaintext of all records that are complete, in the pipe's memory, good until the next call to any
    ///   session of the shard. What it says about the end stands in ``state``.
    package func receive(_ ciphertext: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        pipe.incoming = ciphertext
        var count = 0
        let room = pipe.plaintext
        TLSErrorQueue.clear()
        // OpenSSL gives at most a record a call; it is asked until it wants more ciphertext, so that it holds nothing back.
        reading: while let base = room.baseAddress, count < room.count {
            var got = 0
            let result = SSL_read_ex(ssl, base + count, room.count - count, &got)
            count += got
            if result == 1 {
                state = .established
                continue
            }
            switch SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ: break
            case SSL_ERROR_ZERO_RETURN:
                let isEarly = state == .handshaking && SSL_is_init_finished(ssl) == 0
                state = isEarly ? .failed(.handshake(reason: "closed by the peer")) : .closedByPeer
            default: state = .failed(takeFailure())
            }
            break reading
        }
        pipe.incoming = UnsafeRawBufferPointer(start: nil, count: 0)
        if state == .handshaking { watchHandshake(ciphertext.count) }
        keep()
        return UnsafeMutableRawBufferPointer(rebasing: room[..<count])
    }

    private func watchHandshake(_ count: Int) {
        guard SSL_is_init_finished(ssl) == 0 else { return state = .established }
        handshakeByteCount += count
        if handshakeByteCount > Self.handshakeLimit { state = .failed(.handshakeTooLong) }
    }

    private func takeFailure() -> TLSFailure {
        let reason = TLSErrorQueue.lastReason
        let text = TLSErrorQueue.takeText()
        // Alerts of the peer stand 1 000 above their own numbers.
        if (1_000...1_255).contains(reason) { return .refused(alert: UInt8(reason - 1_000)) }
        guard state == .handshaking else { return .record(reason: text) }
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER: return .notTLS
        default: return .handshake(reason: text)
        }
    }

    // MARK: To the peer

    /// Encrypts; the ciphertext then stands in ``withCiphertext(_:)``.
    ///
    /// - Parameter plaintext: At most ``sealedAtOnce`` bytes, taken whole. Only when ``canSeal``.
    package func seal(_ plaintext: UnsafeRawBufferPointer) {
        guard canSeal, !plaintext.isEmpty else { return }
        TLSErrorQueue.clear()
        var written = 0
        if SSL_write_ex(ssl, plaintext.baseAddress, plaintext.count, &written) != 1 { state = .failed(takeFailure()) }
        if !waiting.isEmpty { keep() }
    }

    /// Says `close_notify`, once; nothing can be sealed after it.
    package func close() {
        guard canSeal, !hasClosed else { return }
        hasClosed = true
        TLSErrorQueue.clear()
        if SSL_shutdown(ssl) < 0 { ERR_clear_error() }
        if !waiting.isEmpty { keep() }
    }

    /// Bytes of ciphertext that are not yet with the kernel.
    package var ciphertextByteCount: Int { waiting.count - waitingSent + pipe.ciphertext.count }

    /// Bytes that this session holds itself, sent ones that are not yet cut off included.
    package var heldByteCount: Int { waiting.count }

    /// Shows the ciphertext to a closure, which says how much of its front the kernel took; nil leaves it all.
    package func sendCiphertext(_ body: (UnsafeRawBufferPointer) -> Int?) {
        guard !waiting.isEmpty else {
            if let taken = body(pipe.ciphertext) { pipe.consume(taken) }
            return
        }
        let taken = waiting.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[waitingSent...])) }
        waitingSent += taken ?? 0
        if waitingSent == waiting.count {
            waiting = []
            waitingSent = 0
        }
    }

    /// Takes what is left of the ciphertext out of the shared memory, for later.
    package func keep() {
        let rest = pipe.ciphertext
        guard !rest.isEmpty else { return }
        // What was sent is cut off once it is the larger part: a reader that always lags would see all of it kept.
        if waitingSent > waiting.count / 2 {
            waiting.removeFirst(waitingSent)
            waitingSent = 0
        }
        waiting += rest
        pipe.consume(rest.count)
    }

    // MARK: Limits

    /// Most bytes that a handshake may take.
    ///
    /// 64 KiB: a client's whole flight has 2 to 4 KiB.
    package static let handshakeLimit = 65_536
    /// Most plaintext encrypted before it is sent: eight full records.
    ///
    /// What a slow reader does not take stays plaintext, so that no more than this waits twice.
    package static let sealedAtOnce = 131_072
}
