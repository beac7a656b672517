// ShardExecutor: makes a shard's loop the executor of its actor.

internal import Dispatch

/// Makes a shard's loop the executor of its actor, so that the compiler proves what belongs to which shard: whatever
/// runs on the shard is reached through an `isolated Shard`, without a lock and without a hop.
final class ShardExecutor: SerialExecutor {
    /// The queue whose only block is the shard's loop.
    let queue: DispatchQueue
    let mailbox: Mailbox

    init(label: String, mailbox: Mailbox) {
        queue = DispatchQueue(label: label)
        self.mailbox = mailbox
    }

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.post(.job(UnownedJob(job)))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    // `assumeIsolated` asks this: the loop is the queue's only block, so being on the queue is being in the loop.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
