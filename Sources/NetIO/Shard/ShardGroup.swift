// ShardGroup: the shards of a process.

internal import CLinux

/// The shards of a process, one a core unless told otherwise.
public struct ShardGroup: Sendable {
    /// The shards, by index; at least one.
    public let shards: [Shard]

    /// Makes and starts shards.
    ///
    /// - Parameter count: How many; nil for one a core that this process may use.
    /// - Throws: ``NetError/systemCall(_:code:)``.
    public init(count: Int? = nil) throws(NetError) {
        var shards: [Shard] = []
        for index in 0..<max(1, count ?? Self.usableCores) { shards.append(try Shard(index: index)) }
        for shard in shards { shard.start() }
        self.shards = shards
    }

    /// Ends every loop after its batch at hand.
    public func stop() {
        for shard in shards { shard.stop() }
    }

    private static var usableCores: Int { Int(chalkline_usable_cores()) }
}
