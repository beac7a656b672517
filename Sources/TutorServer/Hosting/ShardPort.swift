// ShardPort: how one shard hands work to the sessions of another.
// Spec: docs/architecture.md (shards), docs/decisions/0005-sessions-move.md

internal import NetIO

/// How one shard hands work to the sessions of another.
///
/// Any thread may hold it and post.
final class ShardPort: Sendable {
    /// Where the shard stands in its group, from 0.
    let index: Int
    private let shard: Shard
    // Confined to the shard: set, read and dropped only by code that runs on it.
    private nonisolated(unsafe) weak var services: ShardServices?

    init(_ shard: Shard) {
        index = shard.index
        self.shard = shard
    }

    /// Says what the shard's sessions share; until then, and after that is gone, posts are dropped.
    func open(_ services: ShardServices, on shard: isolated Shard) { self.services = services }

    /// Runs work on the shard, in the order posted by one thread.
    func post(_ work: @escaping @Sendable (ShardServices, isolated Shard) -> Void) {
        shard.post { shard in
            guard let services = self.services else { return }
            work(services, shard)
        }
    }
}
