// InflateTarget: any bytes inflate to a message within the limits or end in a typed error, in bounded memory, and what
// our encoder makes of a message inflates to that message, whatever came before it.
// Spec: RFC 7692 §6, §7.2

import WireCore

/// The first two bytes choose the limits and the contexts; the rest is messages, each after a byte with its length.
func fuzzInflate(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    var limits = WebSocketLimits()
    limits.messageBytes = bytes[0] & 1 == 0 ? 65_536 : Int(bytes[1])
    if bytes[0] & 2 != 0 { limits.skippedBytes = limits.messageBytes + 1_024 }
    let isText = bytes[0] & 4 != 0
    var policy = DeflatePolicy()
    policy.keepsClientContext = bytes[0] & 8 != 0
    let reader = Inflation(policy, limits)
    let echo = EchoedMessages()

    var rest = bytes.dropFirst(2)
    while let length = rest.popFirst() {
        let message = [UInt8](rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        echo.check(message)
        guard let payload = reader.read(message, isText: isText) else { return }
        echo.check(payload)
    }
}

/// Inflates what a peer sent, and checks what comes out of it.
private final class Inflation {
    private let limits: WebSocketLimits
    private let pool: DeflatePool
    private let compression: MessageCompression

    init(_ policy: DeflatePolicy, _ limits: WebSocketLimits) {
        self.limits = limits
        pool = DeflatePool(policy: policy)
        let offer = WebSocketExtensionOffer(name: DeflateParameters.extensionName, parameters: [])
        compression = MessageCompression(
            required(DeflateParameters.agree(on: [offer], policy: policy), "a plain offer is taken"), pool: pool)
    }

    /// The message, empty when it was read past; nil when the connection would end.
    func read(_ message: [UInt8], isText: Bool) -> [UInt8]? {
        defer {
            invariant(
                pool.memory.peakByteCount <= Self.memoryLimit, "zlib held \(pool.memory.peakByteCount) bytes")
        }
        // Memory of its own, so that the sanitizer sees a read outside it.
        return message.withUnsafeBytes { bytes in
            do throws(WebSocketError) {
                switch try compression.inflate(bytes, isText: isText, limits: limits) {
                case .whole(let payload):
                    invariant(payload.count <= limits.messageBytes, "a message of \(payload.count) bytes passed")
                    let copy = [UInt8](payload)
                    invariant(!isText || String(validating: copy, as: UTF8.self) != nil, "text is no UTF-8")
                    return copy
                case .oversized(let count):
                    invariant(
                        count > limits.messageBytes && count <= limits.skippedBytes, "\(count) bytes were read past")
                    return []
                }
            } catch {
                return nil
            }
        }
    }

    /// An inflater of the largest window, with room to spare.
    private static let memoryLimit = 65_536
}

/// Compresses messages one after the other and inflates them again.
private final class EchoedMessages {
    private let encoder = required(
        MessageDeflater(windowBits: 12, memoryLevel: 5, level: 6, memory: DeflateMemory()), "zlib takes the numbers")
    private let reader: Inflation

    init() {
        var policy = DeflatePolicy()
        policy.keepsClientContext = true
        var limits = WebSocketLimits()
        limits.messageBytes = 1 << 20
        reader = Inflation(policy, limits)
    }

    func check(_ message: [UInt8]) {
        var compressed: [UInt8] = []
        let isWritten = message.withUnsafeBytes { encoder.append($0, to: &compressed) }
        invariant(isWritten, "the encoder failed on \(message.count) bytes")
        let again = reader.read(compressed, isText: false)
        invariant(again == message, "\(message) came back as \(again.map { "\($0)" } ?? "an error")")
    }
}
