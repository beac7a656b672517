// Messages: texts and bytes for the tests of compression, and the two ends of a compressed connection.

import WireCore

/// Messages of kinds that compress well, badly and not at all.
enum Messages {
    /// A token event, as the server writes them: about 86 bytes.
    static func token(_ index: Int) -> [UInt8] {
        let words = ["the", " sum", " of", " both", " sides", " is", " what", " you", " get", " when", " x"]
        return [UInt8](
            #"{"type":"answer.delta","seq":\#(104_000 + index),"turn":"t_7Qm2ZkW0xv3uRb9dTfLh1","text":"\#(words[index * 7 % 11])"}"#
                .utf8)
    }

    /// Words in random order.
    static func words(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        let list = ["alpha ", "beta ", "gamma ", "2x + 3 = 7 ", "because ", "[0.1,0.2] "].map { [UInt8]($0.utf8) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += list[Int.random(in: 0..<list.count, using: &random)] }
        return [UInt8](bytes.prefix(count))
    }

    static func random(using random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...Int.random(in: 1...20_000, using: &random), using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: return [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)
        case 1: return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 2: return token(count)
        default: return words(count, using: &random)
        }
    }
}

/// What became of a message, with its bytes.
enum ReadMessage: Equatable {
    case oversized(Int)
    case whole([UInt8])
}

extension MessageDeflater {
    func compress(_ message: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = [0x55]
        guard message.withUnsafeBytes({ append($0, to: &output) }), output[0] == 0x55 else { return nil }
        return [UInt8](output.dropFirst())
    }
}

extension MessageInflater {
    func inflate(
        _ bytes: [UInt8], into buffer: InflateBuffer, keepLimit: Int, skipLimit: Int
    ) throws(WebSocketError) -> Outcome {
        // An array's closure cannot throw a typed error yet.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return try inflate(UnsafeRawBufferPointer(copy), into: buffer, keepLimit: keepLimit, skipLimit: skipLimit)
    }

    func inflate(
        _ bytes: [UInt8], keepLimit: Int = 1_000_000, skipLimit: Int = 0
    ) throws(WebSocketError) -> ReadMessage {
        let buffer = InflateBuffer()
        switch try inflate(bytes, into: buffer, keepLimit: keepLimit, skipLimit: skipLimit) {
        case .oversized(let count): return .oversized(count)
        case .whole(let count): return .whole(buffer.prefix(count))
        }
    }
}

extension MessageCompression {
    private static let limits = {
        var limits = WebSocketLimits()
        limits.skippedBytes = 4_194_304
        return limits
    }()

    /// Reads a message within the default limits, past 4 MiB of one that is too long.
    func read(_ bytes: [UInt8], isText: Bool = true) throws(WebSocketError) -> ReadMessage {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        switch try inflate(UnsafeRawBufferPointer(copy), isText: isText, limits: Self.limits) {
        case .oversized(let count): return .oversized(count)
        case .whole(let message): return .whole([UInt8](message))
        }
    }
}

/// A server's connection and the client behind it, which inflates with a window of its own.
final class Viewer {
    /// Parameters of offers that differ in what the server must do.
    static let offers = [
        "", "server_no_context_takeover", "server_max_window_bits=9", "server_max_window_bits=15",
        "server_no_context_takeover; server_max_window_bits=10", "client_max_window_bits",
    ]

    private(set) var output: [UInt8] = []
    private let agreed: MessageCompression?
    private var connection = WebSocketConnection()
    private let inflater: MessageInflater?
    private var reader = WebSocketReader(role: .client)

    /// A viewer with these parameters in its offer; nil offers no compression.
    init?(_ parameters: String? = "", pool: DeflatePool = DeflatePool(policy: DeflatePolicy())) {
        guard let parameters else {
            agreed = nil
            inflater = nil
            return
        }
        var offer = WebSocketExtensionOffer(name: "permessage-deflate", parameters: [])
        for part in parameters.split(separator: ";") {
            let sides = part.split(separator: "=").map { $0.filter { $0 != " " } }
            offer.parameters.append(.init(name: sides[0], value: sides.count > 1 ? sides[1] : nil))
        }
        guard let agreed = DeflateParameters.agree(on: [offer], policy: pool.policy),
            let inflater = MessageInflater(windowBits: agreed.serverWindowBits, memory: DeflateMemory())
        else { return nil }
        self.agreed = MessageCompression(agreed, pool: pool)
        self.inflater = inflater
        reader.allowsCompression = true
    }

    /// Compression at the server's end; one that was never agreed on for a viewer without.
    var compression: MessageCompression {
        guard let agreed else { preconditionFailure("this viewer has no compression") }
        return agreed
    }

    /// Whether the frame that waits is marked as compressed.
    var isCompressed: Bool { output.first.map { $0 & 0x40 != 0 } ?? false }

    func send(_ message: [UInt8], now: Duration = .zero) {
        output = []
        _ = message.withUnsafeBytes { bytes in
            if let agreed {
                return connection.send(.binary, bytes, to: &output, by: agreed, now: now)
            } else {
                return connection.send(.binary, bytes, to: &output)
            }
        }
    }

    func send(_ frame: SharedFrame) {
        output = []
        connection.send(frame, to: &output, by: agreed)
    }

    /// The message in the frame that waits, as the client sees it.
    func read() throws -> [UInt8] {
        if agreed?.parameters.keepsServerContext == false { inflater?.reset() }
        var message: [UInt8] = []
        var isCompressed = false
        try output.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            if case .message(let seen)? = try reader.next(&input) {
                message = [UInt8](seen.bytes)
                isCompressed = seen.isCompressed
            }
        }
        guard isCompressed, let inflater else { return message }
        guard case .whole(let plain) = try inflater.inflate(message) else { return [] }
        return plain
    }
}
