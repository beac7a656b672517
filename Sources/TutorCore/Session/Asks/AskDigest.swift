// AskDigest: the content of an ask in 16 bytes.
// Spec: docs/protocol.md §5 rule 3

public import TutorProtocol

/// The content of an ask in 16 bytes, to tell a repeated ask from another one under the same id.
///
/// Two FNV-1a sums with different starts: only the client itself could gain from a collision, and it would get the
/// events of its own earlier ask. The language's own hasher is seeded anew in each process and would not survive one.
public struct AskDigest: Sendable, Hashable {
    /// The first half.
    public private(set) var first: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The second half.
    public private(set) var second: UInt64 = 0x6C62_272E_07BB_0142

    /// Sums up an ask.
    public init(_ ask: Ask) {
        add(ask.text)
        add(ask.revision)
        switch ask.focus {
        case nil: add(byte: 0)
        case .box(let box):
            add(byte: 1)
            for number in [box.x, box.y, box.width, box.height] { add(number.bitPattern) }
        case .element(let id):
            add(byte: 2)
            add(id.rawValue)
        case .point(let point):
            add(byte: 3)
            add(point.x.bitPattern)
            add(point.y.bitPattern)
        }
        add(byte: ask.language == nil ? 0 : 1)
        add(ask.language ?? "")
        add(UInt64(bitPattern: Int64(ask.hintLevel)))
        add(ask.of.map { Int64($0.number) })
        add(byte: ask.whenBusy == .reject ? 1 : 0)
    }

    /// Takes a sum that was kept as two numbers.
    public init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    private mutating func add(byte: UInt8) {
        first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
        second = (second ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ number: Int64?) {
        add(byte: number == nil ? 0 : 1)
        add(UInt64(bitPattern: number ?? 0))
    }

    /// The length goes first, so that two texts cannot trade letters at their border.
    private mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte: byte) }
    }
}
