// Readiness: what a file descriptor is ready for.
// Source: epoll_ctl(2)

internal import CLinux

/// What a file descriptor is ready for, and, in a registration, what its handler wants to hear of.
public struct Readiness: OptionSet, Sendable, Hashable {
    /// The bits of `epoll_event.events`.
    public let rawValue: UInt32

    /// Makes a set from epoll's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or the end of the stream.
    public static let readable = Self(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    public static let writable = Self(rawValue: EPOLLOUT.rawValue)
    /// An error is pending.
    ///
    /// Always reported.
    public static let failed = Self(rawValue: EPOLLERR.rawValue)
    /// Both directions are shut.
    ///
    /// Always reported.
    public static let hungUp = Self(rawValue: EPOLLHUP.rawValue)
}

/// Something that a shard tells when its file descriptor is ready.
///
/// Confined to that shard.
public protocol DescriptorHandler: AnyObject {
    /// Called at most once a batch; level-triggered, so what is left unread is reported again.
    func ready(_ readiness: Readiness, on shard: isolated Shard)
}

/// A registration of a file descriptor with its shard.
///
/// A stale one is recognised and ignored.
public struct DescriptorToken: Sendable, Hashable {
    let slot: Int32
    let generation: UInt32

    /// The form that travels through epoll.
    var packed: UInt64 { UInt64(UInt32(bitPattern: slot)) | UInt64(generation) << 32 }

    init(slot: Int, generation: UInt32) {
        self.slot = Int32(truncatingIfNeeded: slot)
        self.generation = generation
    }

    init(packed: UInt64) {
        slot = Int32(bitPattern: UInt32(truncatingIfNeeded: packed))
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}
