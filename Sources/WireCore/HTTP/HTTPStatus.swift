// HTTPStatus: the number of an HTTP answer and its reason phrase.
// Spec: RFC 9110 §15; RFC 6585

/// The number of an HTTP answer.
public struct HTTPStatus: RawRepresentable, Sendable, Hashable {
    /// The number, three digits.
    public let rawValue: Int

    /// Wraps any number; one outside 100-599 is written as 500.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 101: the connection now speaks the protocol that was asked for.
    public static let switchingProtocols = HTTPStatus(rawValue: 101)

    /// 200.
    public static let ok = HTTPStatus(rawValue: 200)

    /// 204: an answer without a body.
    public static let noContent = HTTPStatus(rawValue: 204)

    /// 304: what the client holds is still right.
    public static let notModified = HTTPStatus(rawValue: 304)

    /// 400: the request breaks a rule.
    public static let badRequest = HTTPStatus(rawValue: 400)

    /// 401: a token is needed.
    public static let unauthorized = HTTPStatus(rawValue: 401)

    /// 403: not for this origin or role.
    public static let forbidden = HTTPStatus(rawValue: 403)

    /// 404.
    public static let notFound = HTTPStatus(rawValue: 404)

    /// 405: the path exists, the method does not.
    public static let methodNotAllowed = HTTPStatus(rawValue: 405)

    /// 408: the head did not arrive in time.
    public static let requestTimeout = HTTPStatus(rawValue: 408)

    /// 411: a body of unknown length.
    public static let lengthRequired = HTTPStatus(rawValue: 411)

    /// 413: a body that is not taken.
    public static let contentTooLarge = HTTPStatus(rawValue: 413)

    /// 414: the request line is over its limit.
    public static let uriTooLong = HTTPStatus(rawValue: 414)

    /// 426: another protocol, or another version of it, is needed.
    public static let upgradeRequired = HTTPStatus(rawValue: 426)

    /// 431: a header, or all of them, are over their limits.
    public static let headersTooLarge = HTTPStatus(rawValue: 431)

    /// 500.
    public static let internalError = HTTPStatus(rawValue: 500)

    /// 501: a transfer coding that is not known.
    public static let notImplemented = HTTPStatus(rawValue: 501)

    /// 503: no capacity; comes with `Retry-After`.
    public static let unavailable = HTTPStatus(rawValue: 503)

    /// 505: a version of HTTP other than 1.0 and 1.1.
    public static let versionNotSupported = HTTPStatus(rawValue: 505)

    /// The phrase that goes with the number.
    public var reason: String {
        switch rawValue {
        case 101: "Switching Protocols"
        case 200: "OK"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }

    /// Whether an answer with this status never has a body (RFC 9110 §6.4.1).
    public var hasNoBody: Bool { (100..<200).contains(rawValue) || rawValue == 204 || rawValue == 304 }
}
