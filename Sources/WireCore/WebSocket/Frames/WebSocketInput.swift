// WebSocketInput: received bytes and how far they have been read.
// Spec: RFC 6455 §5

/// Received bytes in the shard's read buffer, and how far they have been read.
///
/// One is made for each read from a socket. The bytes are unmasked in place, so the buffer must be the caller's to
/// change, and what has been read is no longer what was received. `unread` is untouched and can be handed on.
@unsafe
public struct WebSocketInput {
    let bytes: UnsafeMutableRawBufferPointer
    var offset = 0

    /// Begins to read `bytes`, which must stay where they are while this value is in use.
    public init(_ bytes: UnsafeMutableRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    /// Whether every byte has been read.
    public var isEmpty: Bool { unsafe offset == bytes.count }

    /// What has not been read yet, as received.
    public var unread: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
    }

    /// Reads everything that is left without looking at it.
    public mutating func discard() {
        unsafe offset = bytes.count
    }

    @inline(__always)
    var available: Int { unsafe bytes.count &- offset }

    /// The next `count` bytes, which the caller has checked to be there.
    @inline(__always)
    mutating func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        guard let base = unsafe bytes.baseAddress else {
            return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
        let taken = unsafe UnsafeMutableRawBufferPointer(start: base + offset, count: count)
        unsafe offset &+= count
        return unsafe taken
    }
}
