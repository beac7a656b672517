// HeldMessages: what a client says while its session is being looked for.
// Spec: docs/protocol.md §3

internal import TutorProtocol

/// What a client says while its session is being looked for, in order and bounded.
struct HeldMessages {
    /// Messages that were read, and the answers to those that could not be.
    enum Item {
        case message(ClientMessage)
        case refusal(ErrorMessage)
    }

    private(set) var items: [Item] = []
    private var byteCount = 0

    /// Keeps one of so many bytes; false when there are too many.
    mutating func hold(_ item: Item, byteCount bytes: Int) -> Bool {
        guard items.count < Self.countLimit, byteCount + bytes <= Self.byteLimit else { return false }
        items.append(item)
        byteCount += bytes
        return true
    }

    /// Most messages.
    ///
    /// 64: looking takes milliseconds.
    static let countLimit = 64
    /// Most bytes of them.
    ///
    /// 512 KiB: the screen that a client sends behind its `hello`, and what follows.
    static let byteLimit = 524_288
}
