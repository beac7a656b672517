// ElementID: the client's own name for an element of its screen.
// Spec: docs/protocol.md §4

/// The client's own name for one element: 1 to 64 bytes of `A-Z a-z 0-9 . _ : -`, compared as bytes.
///
/// The narrow alphabet makes look-alike and right-to-left tricks in ids impossible. Ids never reach a model;
/// it sees small integers instead.
public struct ElementID: Sendable, Hashable, CustomStringConvertible {
    /// Longest id, in bytes.
    public static let maximumByteCount = 64

    /// The id as the client wrote it.
    public let rawValue: String

    /// Takes an id, or returns nil when it is empty, too long, or has a byte outside the alphabet.
    public init?(_ rawValue: String) {
        let count = rawValue.utf8.count
        guard count > 0, count <= Self.maximumByteCount, rawValue.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.rawValue = rawValue
    }

    /// The same from bytes, which are looked at before a String is made.
    @unsafe
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 0, bytes.count <= Self.maximumByteCount, unsafe bytes.allSatisfy(Self.isAllowed) else {
            return nil
        }
        rawValue = unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Takes an id whose bytes have been looked at.
    @inline(__always)
    init(checked rawValue: String) { self.rawValue = rawValue }

    /// Stands in for an id where the server is to give it: the element's position in its list.
    init(position: Int) { rawValue = String(position) }

    /// The id as the client wrote it.
    public var description: String { rawValue }

    /// Whether all eight bytes of a word are of the alphabet.
    @inline(__always)
    static func allows(_ word: UInt64) -> Bool {
        let high: UInt64 = 0x8080_8080_8080_8080
        // Bytes below 0x80 only, so that no sum below carries into the next byte.
        guard word & high == 0 else { return false }
        let isLetter = range(word | repeating(0x20), from: 0x61, to: 0x7A)
        // From the hyphen to the colon, all but the slash.
        let isSign = range(word, from: 0x2D, to: 0x3A) & ((word ^ repeating(0x2F)) &+ repeating(0x7F))
        let isUnderscore = ~((word ^ repeating(0x5F)) &+ repeating(0x7F))
        return (isLetter | isSign | isUnderscore) & high == high
    }

    /// Marks by its high bit each byte below 0x80 that lies within bounds.
    @inline(__always)
    private static func range(_ word: UInt64, from low: UInt64, to high: UInt64) -> UInt64 {
        (word &+ repeating(0x80 &- low)) & ~(word &+ repeating(0x7F &- high))
    }

    @inline(__always)
    private static func repeating(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
