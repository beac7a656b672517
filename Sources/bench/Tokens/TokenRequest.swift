// TokenRequest: what the token endpoint reads of a request.

/// What the token endpoint reads of a request.
struct TokenRequest {
    /// The rate that `GET /rate/N` sets; nil for a request that wants tokens.
    var rate: Int?

    /// Reads a request; nil while its head or its body is not whole.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        if head.hasPrefix("get /rate/") {
            rate = max(1, Int(head.dropFirst(10).prefix { $0.isNumber }) ?? 1)
        } else if let field = head.firstRange(of: "content-length:") {
            let digits = head[field.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
            guard text[end.upperBound...].utf8.count >= Int(digits) ?? 0 else { return nil }
        }
    }
}
