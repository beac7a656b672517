// HTTPMethod: what a request wants done.
// Spec: RFC 9110 §9

/// What a request wants done.
///
/// Methods are case-sensitive; unknown ones are kept as they came.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    /// The method's name.
    public let rawValue: String

    /// Wraps any name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Read something.
    public static let get = HTTPMethod(rawValue: "GET")

    /// Like `get`, but only the head of the answer.
    public static let head = HTTPMethod(rawValue: "HEAD")

    /// What is possible here; browsers send it before some cross-origin requests.
    public static let options = HTTPMethod(rawValue: "OPTIONS")

    /// Hand something in.
    public static let post = HTTPMethod(rawValue: "POST")
}
