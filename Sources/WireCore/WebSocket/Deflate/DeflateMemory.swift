// DeflateMemory: allocates for zlib and counts what is held.
// Source: zlib.h, `zalloc` and `zfree`

internal import CZlib

/// Allocates for zlib and counts what is held, so that compression has a budget and a test can read its cost.
///
/// Confined to the thread of its streams, and kept alive by each of them.
public final class DeflateMemory {
    /// Bytes that the streams hold now.
    public private(set) var heldByteCount = 0

    /// The most that was held at once.
    public private(set) var peakByteCount = 0

    /// A counter at zero.
    public init() {}

    /// Makes a stream allocate here.
    func attach(to stream: UnsafeMutablePointer<z_stream>) {
        unsafe stream.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe stream.pointee.zalloc = { owner, items, size in
            guard let owner = unsafe owner else { return nil }
            let memory = unsafe Unmanaged<DeflateMemory>.fromOpaque(owner).takeUnretainedValue()
            return unsafe memory.allocate(Int(items) * Int(size))
        }
        unsafe stream.pointee.zfree = { owner, address in
            guard let owner = unsafe owner, let address = unsafe address else { return }
            let memory = unsafe Unmanaged<DeflateMemory>.fromOpaque(owner).takeUnretainedValue()
            unsafe memory.free(address)
        }
    }

    /// zlib frees without telling the size, so each block begins with it.
    private func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount + Self.headByteCount, alignment: Self.headByteCount)
        unsafe block.storeBytes(of: byteCount, as: Int.self)
        heldByteCount += byteCount
        peakByteCount = max(peakByteCount, heldByteCount)
        return unsafe block + Self.headByteCount
    }

    private func free(_ address: UnsafeMutableRawPointer) {
        let block = unsafe address - Self.headByteCount
        heldByteCount -= unsafe block.load(as: Int.self)
        unsafe block.deallocate()
    }

    private static let headByteCount = 16
}
