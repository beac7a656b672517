// InflateBuffer: where a shard's messages are inflated into.
// Spec: docs/compression.md

/// Where a shard's messages are inflated into: one piece of memory for all connections, since each message is handled
/// before the next is read.
///
/// Confined to its shard.
@safe
public final class InflateBuffer {
    private(set) var bytes = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// An empty buffer.
    public init() {}

    deinit { unsafe bytes.deallocate() }

    /// Bytes held.
    public var byteCount: Int { unsafe bytes.count }

    /// A copy of the first bytes.
    package func prefix(_ count: Int) -> [UInt8] { unsafe [UInt8](bytes.prefix(count)) }

    /// Moves to a larger piece of memory, up to `limit`, and keeps the first `kept` bytes; false at the limit.
    func grow(keeping kept: Int, limit: Int) -> Bool {
        let size = unsafe min(max(bytes.count * 2, Self.firstByteCount), max(limit, Self.firstByteCount))
        guard unsafe size > bytes.count else { return false }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<kept]))
        unsafe bytes.deallocate()
        unsafe bytes = larger
        return true
    }

    /// Frees a piece that a rare large message needed.
    func trim() {
        guard unsafe bytes.count > Self.keptByteCount else { return }
        unsafe bytes.deallocate()
        unsafe bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// First size: most messages of a client fit.
    static let firstByteCount = 16_384

    /// A larger piece is freed before the next message.
    static let keptByteCount = 65_536
}
