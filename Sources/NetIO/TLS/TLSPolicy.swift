// TLSPolicy: what the server offers.
// Spec: docs/tls.md; Source: RFC 9325, RFC 8446, RFC 7301

internal import COpenSSL

/// What the server offers: versions, suites, groups, signatures, and what it leaves off.
///
/// docs/tls.md gives the reasons.
enum TLSPolicy {
    /// TLS 1.3 suites, best first.
    static let suites13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// TLS 1.2 suites, best first: forward secret and authenticated encryption only.
    static let suites12 =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
        + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
    /// Key exchange groups, best first.
    static let groups = "X25519:P-256:P-384"
    /// Signatures of the handshake, best first: nothing with SHA-1.
    static let signatures =
        "ECDSA+SHA256:ECDSA+SHA384:ed25519:RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:"
        + "RSA+SHA256:RSA+SHA384:RSA+SHA512"
    /// The application protocol, with its length in front.
    static let applicationProtocol: [UInt8] = [8] + Array("http/1.1".utf8)
    /// OpenSSL's level 2: at least 112 bits, so RSA from 2 048 bits.
    static let securityLevel: Int32 = 2

    /// Sets up a context.
    ///
    /// - Throws: ``TLSError/context(reason:)`` when OpenSSL does not know one of the names above.
    static func apply(to context: OpaquePointer) throws(TLSError) {
        // The level first: it decides which of the others are accepted.
        SSL_CTX_set_security_level(context, securityLevel)
        guard chalkline_ssl_set_min_version(context, TLS1_2_VERSION) == 1,
            chalkline_ssl_set_max_version(context, TLS1_3_VERSION) == 1,
            SSL_CTX_set_cipher_list(context, suites12) == 1, SSL_CTX_set_ciphersuites(context, suites13) == 1,
            chalkline_ssl_set_groups(context, groups) == 1, chalkline_ssl_set_signatures(context, signatures) == 1
        else { throw .context(reason: TLSErrorQueue.takeText()) }
        SSL_CTX_set_options(
            context,
            chalkline_ssl_no_compression | chalkline_ssl_no_renegotiation | chalkline_ssl_no_ticket
                | chalkline_ssl_server_preference | chalkline_ssl_prioritize_chacha)
        // No resumption: no tickets of either version, no cache.
        SSL_CTX_set_num_tickets(context, 0)
        chalkline_ssl_set_session_cache(context, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_max_early_data(context, 0)
        // An idle connection keeps no record buffers.
        chalkline_ssl_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
        SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    }

    /// Takes `http/1.1` from the client's offer; an offer without it is refused (RFC 7301 §3.2).
    ///
    /// A client that offers nothing speaks HTTP/1.1 anyway.
    private static let selectProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, chosen, chosenCount, offer, offerCount, _ in
            guard let chosen, let chosenCount, let offer else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            let names = UnsafeBufferPointer(start: offer, count: Int(offerCount))
            var position = 0
            while position < names.count {
                let end = position + 1 + Int(names[position])
                guard end <= names.count else { break }
                if names[position..<end].elementsEqual(applicationProtocol) {
                    // Into the offer itself: it outlives the call, as OpenSSL wants it.
                    chosen.pointee = offer + position + 1
                    chosenCount.pointee = names[position]
                    return SSL_TLSEXT_ERR_OK
                }
                position = end
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
}
