// DeflateParameters: what the two ends agreed on, and how the server finds it.
// Spec: RFC 7692 §5.1, §7.1

/// What client and server agreed on.
public struct DeflateParameters: Sendable, Hashable {
    /// Whether the server's encoder remembers earlier messages.
    public var keepsServerContext: Bool

    /// Whether the client's encoder may remember earlier messages.
    public var keepsClientContext: Bool

    /// The server's window, 9 to 15.
    public var serverWindowBits: Int

    /// The window that is enough to read what the client sends, 9 to 15.
    public var clientWindowBits: Int

    /// The value of the answer's `Sec-WebSocket-Extensions`.
    public var responseValue: String
}

extension DeflateParameters {
    /// The extension's name.
    public static let extensionName = "permessage-deflate"

    /// Takes the first offer that can be taken, in the client's order; nil when there is none.
    ///
    /// An offer with an unknown, repeated or ill-valued parameter is declined, and so is one for a server window of
    /// 8, which zlib's raw encoder cannot have. Other extensions are passed over.
    ///
    ///     offer                      answer
    ///     server_no_context_…        the same
    ///     client_no_context_…        the same; also without being offered, unless the policy keeps such contexts
    ///     server_max_window_bits=N   the smaller of N and the policy's; below 15 also without being offered
    ///     client_max_window_bits=N   the smaller of N and the policy's; left out for N = 8, which our window covers
    ///     client_max_window_bits     the policy's
    public static func agree(
        on offers: [WebSocketExtensionOffer], policy: DeflatePolicy
    ) -> DeflateParameters? {
        for offer in offers where offer.name == extensionName {
            if let asked = Asked(offer), let agreed = agree(asked, policy) { return agreed }
        }
        return nil
    }

    private static func agree(_ asked: Asked, _ policy: DeflatePolicy) -> DeflateParameters? {
        let range = DeflatePolicy.windowBits
        let serverBits = min(asked.serverBits ?? range.upperBound, policy.serverWindowBits.clamped(to: range))
        guard range.contains(serverBits) else { return nil }
        var agreed = DeflateParameters(
            keepsServerContext: policy.keepsServerContext && !asked.serverDropsContext,
            keepsClientContext: policy.keepsClientContext && !asked.clientDropsContext,
            serverWindowBits: serverBits, clientWindowBits: range.upperBound, responseValue: extensionName)
        if !agreed.keepsServerContext { agreed.responseValue += "; server_no_context_takeover" }
        if !agreed.keepsClientContext { agreed.responseValue += "; client_no_context_takeover" }
        if asked.serverBits != nil || serverBits < range.upperBound {
            agreed.responseValue += "; server_max_window_bits=\(serverBits)"
        }
        // A client that did not offer it would have to fail the connection (RFC 7692 §7.1.2.2).
        if let most = asked.clientBits, range.contains(most) {
            agreed.clientWindowBits = min(most, policy.clientWindowBits.clamped(to: range))
            agreed.responseValue += "; client_max_window_bits=\(agreed.clientWindowBits)"
        }
        return agreed
    }

    /// The parameters of one offer.
    private struct Asked {
        var serverDropsContext = false
        var clientDropsContext = false
        var serverBits: Int?
        /// 15 when the client left the number to us.
        var clientBits: Int?

        /// Nil when a parameter is unknown, repeated or ill-valued.
        init?(_ offer: WebSocketExtensionOffer) {
            var seen: Set<String> = []
            for parameter in offer.parameters {
                guard seen.insert(parameter.name).inserted else { return nil }
                switch (parameter.name, parameter.value) {
                case ("server_no_context_takeover", nil): serverDropsContext = true
                case ("client_no_context_takeover", nil): clientDropsContext = true
                case ("server_max_window_bits", let value?):
                    guard let bits = Self.bits[value] else { return nil }
                    serverBits = bits
                case ("client_max_window_bits", let value?):
                    guard let bits = Self.bits[value] else { return nil }
                    clientBits = bits
                case ("client_max_window_bits", nil): clientBits = 15
                default: return nil
                }
            }
        }

        /// RFC 7692 §7.1.2.1: decimal, 8 to 15, no leading zero.
        private static let bits: [String: Int] = Dictionary(
            uniqueKeysWithValues: (8...15).map { (String($0), $0) })
    }
}
