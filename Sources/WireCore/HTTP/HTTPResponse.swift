// HTTPResponse: an answer and how it is written.
// Spec: RFC 9112 §4, §6.2, §9.3; RFC 9110 §6.4.1

/// An answer.
///
/// `Content-Length` and `Connection` are written from what it is; everything else stands in `headers`.
public struct HTTPResponse: Sendable, Hashable {
    /// The status.
    public var status: HTTPStatus

    /// The fields beside `Content-Length`, `Connection` and `Transfer-Encoding`, which are left out if they stand here.
    public var headers: HTTPHeaders

    /// The body.
    ///
    /// Sharing one array between answers copies nothing.
    public var body: [UInt8]

    /// An answer with the given parts.
    public init(status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer in one line of plain text.
    public init(status: HTTPStatus, text: String) {
        let headers = HTTPHeaders([("Content-Type", "text/plain; charset=utf-8")])
        self.init(status: status, headers: headers, body: [UInt8]("\(text)\n".utf8))
    }

    /// Appends the answer to a write buffer.
    ///
    /// `isHead`: the request was HEAD, so the length is told and the body left out. `keepsAlive`: another request may
    /// follow; false writes `Connection: close`, and the caller closes after writing.
    public func append(to output: inout [UInt8], isHead: Bool = false, keepsAlive: Bool) {
        output.append(contentsOf: "HTTP/1.1 \(number) \(status.reason)\r\n".utf8)
        for field in headers.fields where !Self.isFraming(field.name) {
            Self.append(field, to: &output)
        }
        if !status.hasNoBody { output.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
        if !keepsAlive { output.append(contentsOf: "Connection: close\r\n".utf8) }
        output.append(contentsOf: "\r\n".utf8)
        if !isHead, !status.hasNoBody { output.append(contentsOf: body) }
    }

    private var number: Int { (100...599).contains(status.rawValue) ? status.rawValue : 500 }

    private static func isFraming(_ name: String) -> Bool {
        ["connection", "content-length", "transfer-encoding"].contains {
            FieldGrammar.isEqualIgnoringCase($0, name)
        }
    }

    /// Writes a field so that no value can begin another: control bytes become spaces, a name that is no token writes
    /// nothing (RFC 9110 §5.5).
    static func append(_ field: HTTPHeaders.Field, to output: inout [UInt8]) {
        guard FieldGrammar.isToken(field.name.utf8) else { return }
        output.append(contentsOf: field.name.utf8)
        output.append(UInt8(ascii: ":"))
        output.append(FieldGrammar.space)
        for byte in field.value.utf8 {
            output.append(FieldGrammar.isFieldValue(byte) ? byte : FieldGrammar.space)
        }
        output.append(0x0D)
        output.append(0x0A)
    }
}
