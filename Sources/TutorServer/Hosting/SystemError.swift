// SystemError: the system's words for an error number.

internal import Glibc

/// The system's words for an error number.
enum SystemError {
    /// Such as `address already in use`.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
