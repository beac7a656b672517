// AliasTable: the small integers by which a model names elements.
// Spec: docs/screen.md (aliases)

/// The small integers by which a model names elements.
///
/// An alias stays its element's own while the element lives and for three turns after, so that a model that looks back
/// is never led to another element.
public struct AliasTable: Sendable {
    /// Turns for which an alias is kept after its element went.
    ///
    /// Default 3: as far as summaries reach back.
    public static let turnsKept = 3

    private struct Holder {
        var serial: ElementSerial
        /// The last turn at whose end the element was there.
        var lastSeen: Int
    }

    private var holders: [Int: Holder] = [:]
    private var aliases: [ElementSerial: Int] = [:]
    private var next = 1
    private var turn = 0

    /// Makes an empty table; the first alias is 1.
    public init() {}

    /// The element's alias; a new one if it has none.
    ///
    /// Numbers only go up; they begin again at 1 when no alias is held any more.
    public mutating func alias(for serial: ElementSerial) -> Int {
        if let alias = aliases[serial] { return alias }
        let alias = next
        next += 1
        aliases[serial] = alias
        holders[alias] = Holder(serial: serial, lastSeen: turn)
        return alias
    }

    /// The element that an alias stands for.
    public func serial(for alias: Int) -> ElementSerial? { holders[alias]?.serial }

    /// Ends a turn: aliases of elements that have been gone for longer than ``turnsKept`` turns are given up.
    public mutating func endTurn(on screen: ScreenState) {
        turn += 1
        for (alias, holder) in holders {
            if screen.element(serial: holder.serial) != nil {
                holders[alias]?.lastSeen = turn
            } else if turn - holder.lastSeen > Self.turnsKept {
                holders[alias] = nil
                aliases[holder.serial] = nil
            }
        }
        if holders.isEmpty { next = 1 }
    }
}
