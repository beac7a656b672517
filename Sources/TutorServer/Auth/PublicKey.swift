// PublicKey: an Ed25519 key that checks signatures.
// Spec: RFC 8032, RFC 8037, RFC 8410

internal import COpenSSL

/// An Ed25519 key that checks signatures.
///
/// Any thread.
final class PublicKey: Sendable {
    // Never changed after `init`; OpenSSL guards what it caches in it.
    private nonisolated(unsafe) let key: OpaquePointer

    /// Reads a PEM text (`BEGIN PUBLIC KEY`); nil when it holds no Ed25519 key.
    ///
    /// A key of another kind is none: which algorithm is used is decided here and by no token.
    init?(pem: [UInt8]) {
        defer { ERR_clear_error() }
        guard pem.count <= Self.pemLimit, let source = BIO_new_mem_buf(pem, Int32(pem.count)) else { return nil }
        defer { BIO_free(source) }
        guard let key = PEM_read_bio_PUBKEY(source, nil, nil, nil) else { return nil }
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Whether a signature is this key's over a message.
    func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureBytes, let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            // A wrong signature leaves an error behind, which the thread's TLS would take for its own.
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Bytes of a signature.
    static let signatureBytes = 64
    /// Longest PEM text, in bytes.
    static let pemLimit = 16_384
}
