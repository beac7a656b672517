// WebSocketExtensionOffer: an extension that a client would like to use.
// Spec: RFC 6455 §9.1

/// An extension that a client would like to use, with its parameters, as it stands in the handshake.
///
/// A client may offer one extension several times with different parameters; the order is its preference.
public struct WebSocketExtensionOffer: Sendable, Hashable {
    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// The parameter's name.
        public var name: String

        /// Its value without quotes; nil when it has none.
        public var value: String?

        /// A parameter with a value, or without one.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The extension's name, as `permessage-deflate`.
    public var name: String

    /// The parameters in order.
    public var parameters: [Parameter]

    /// An offer of an extension with these parameters.
    public init(name: String, parameters: [Parameter]) {
        self.name = name
        self.parameters = parameters
    }

    /// Reads the value of a `Sec-WebSocket-Extensions` field; nil when it breaks the grammar.
    static func parse(_ value: String) -> [WebSocketExtensionOffer]? {
        let bytes = [UInt8](value.utf8)
        var offers: [WebSocketExtensionOffer] = []
        for member in FieldGrammar.members(bytes) {
            var parts: [Range<Int>] = []
            FieldGrammar.forEachPart(bytes, member, separator: UInt8(ascii: ";")) { parts.append($0) }
            guard let name = parts.first, FieldGrammar.isToken(bytes[name]) else { return nil }
            var offer = WebSocketExtensionOffer(name: String(decoding: bytes[name], as: UTF8.self), parameters: [])
            for part in parts.dropFirst() {
                guard let parameter = parameter(bytes, part) else { return nil }
                offer.parameters.append(parameter)
            }
            offers.append(offer)
        }
        return offers
    }

    private static func parameter(_ bytes: [UInt8], _ range: Range<Int>) -> Parameter? {
        guard let equals = bytes[range].firstIndex(of: UInt8(ascii: "=")) else {
            guard FieldGrammar.isToken(bytes[range]) else { return nil }
            return Parameter(name: String(decoding: bytes[range], as: UTF8.self), value: nil)
        }
        let name = FieldGrammar.trim(bytes, range.lowerBound..<equals)
        let value = FieldGrammar.trim(bytes, equals + 1..<range.upperBound)
        guard FieldGrammar.isToken(bytes[name]), let text = unquoted(bytes[value]) else { return nil }
        return Parameter(name: String(decoding: bytes[name], as: UTF8.self), value: text)
    }

    /// A token, or a quoted string whose content is a token (RFC 6455 §9.1 allows no other).
    private static func unquoted(_ value: ArraySlice<UInt8>) -> String? {
        var content: [UInt8] = []
        if value.first == FieldGrammar.quote {
            guard value.count >= 2, value.last == FieldGrammar.quote else { return nil }
            var isEscaped = false
            for byte in value.dropFirst().dropLast() {
                if !isEscaped, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isEscaped = false
                    content.append(byte)
                }
            }
            guard !isEscaped else { return nil }
        } else {
            content = [UInt8](value)
        }
        return FieldGrammar.isToken(content) ? String(decoding: content, as: UTF8.self) : nil
    }
}
