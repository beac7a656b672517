// TLSError: why a server has no certificate.

internal import COpenSSL
internal import Glibc

/// Why certificates could not be loaded.
///
/// For the operator: each names the file.
public enum TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file cannot be read; the code is `errno`.
    case unreadable(path: String, code: Int32)
    /// A file holds no usable certificate; the reason is OpenSSL's.
    case certificate(path: String, reason: String)
    /// A file holds no usable private key; the reason is OpenSSL's.
    case key(path: String, reason: String)
    /// A private key is encrypted: nobody is there to type its password.
    case encryptedKey(path: String)
    /// A private key is not that of its certificate.
    case mismatch(certificate: String, key: String)
    /// Two certificates have keys of one kind; only the last would ever be served.
    case sameKind(path: String)
    /// No certificate is named.
    case none
    /// OpenSSL gave no context; the reason is its own.
    case context(reason: String)

    /// One plain sentence.
    public var description: String {
        switch self {
        case .unreadable(let path, let code):
            "cannot read \(path): \(String(cString: strerror(code)).lowercased())"
        case .certificate(let path, let reason): "no usable certificate in \(path): \(reason)"
        case .key(let path, let reason): "no usable private key in \(path): \(reason)"
        case .encryptedKey(let path): "the private key in \(path) is encrypted; the server needs it in the clear"
        case .mismatch(let certificate, let key): "the private key in \(key) is not that of \(certificate)"
        case .sameKind(let path): "the key of \(path) is of the same kind as that of a certificate before it"
        case .none: "no certificate is named"
        case .context(let reason): "OpenSSL: \(reason)"
        }
    }
}

/// OpenSSL's queue of errors of this thread.
///
/// Others on the thread use OpenSSL too (the HTTP client does) and may leave errors behind, and `SSL_get_error` looks at
/// the queue: so it is cleared before a call.
enum TLSErrorQueue {
    /// Forgets what is in the queue.
    static func clear() {
        // Looking is much cheaper than clearing, and there is nearly never anything.
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// The reason's number of the last error; 0 when there is none.
    static var lastReason: Int32 {
        // ERR_GET_REASON: the low 23 bits, unless it is a system error.
        let code = ERR_peek_last_error()
        return Int32(truncatingIfNeeded: code & 0x7F_FFFF)
    }

    /// Takes everything; gives the last error in words.
    static func takeText() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard let text = ERR_reason_error_string(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
