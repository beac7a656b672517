// TokenRequest: what the token endpoint reads of a request.

/// What the token endpoint reads of a request.
struct TokenRequest {
    /// The rate that `GET /rate/N/S` sets; nil for a request that wants tokens.
    var rate: Int?
    /// How many streams begin together.
    var gate = 1

    /// Reads a request; nil while its head or its body is not whole.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        if head.hasPrefix("get /rate/") {
            let numbers = head.dropFirst(10).prefix { $0.isNumber || $0 == "/" }.split(separator: "/").map { Int($0) }
            rate = max(1, numbers.first.flatMap(\.self) ?? 1)
            gate = max(1, numbers.dropFirst().first.flatMap(\.self) ?? 1)
        } else if let field = head.firstRange(of: "content-length:") {
            let digits = head[field.upperBound...].drop { $0 == " " }.prefix { $0.isNumber }
            guard text[end.upperBound...].utf8.count >= Int(digits) ?? 0 else { return nil }
        }
    }
}
