// HintLadder: how much help a student may have now.
// Spec: docs/protocol.md §5 rule 11

/// How much help a student may have now: asked for, allowed, and earned by work on the screen.
public struct HintLadder: Sendable, Hashable {
    /// The ceiling before any work.
    ///
    /// Default 2: point and name the kind of slip.
    public static let firstCeiling = 2
    /// The highest level: the solution.
    public static let highestLevel = 4
    /// How long a student must have had a hint before time alone earns the next.
    ///
    /// Default 8 s.
    public static let thinkingTime: Duration = .seconds(8)

    /// The highest level that the work so far has earned.
    public private(set) var ceiling = firstCeiling

    private var lastGrant: Duration?

    /// Makes a ladder at its foot.
    public init() {}

    /// Makes a ladder on which the student has come so far.
    public init(ceiling: Int) { self.ceiling = min(Self.highestLevel, max(Self.firstCeiling, ceiling)) }

    /// Notes evidence of work: a change in an input, or a step done.
    public mutating func noteWork() {
        ceiling = min(Self.highestLevel, ceiling + 1)
    }

    /// Notes that another exercise begins.
    public mutating func beginScreen() {
        self = Self()
    }

    /// The level that a turn gets.
    ///
    /// Eight seconds since the last turn count as work, once.
    ///
    /// - Parameters:
    ///   - asked: What the student asked for; anything out of range is taken as the nearest level.
    ///   - maximum: What the teacher's policy allows. Default: everything.
    ///   - now: Monotonic time.
    /// - Returns: The least of asked, allowed and earned, 0 to 4.
    public mutating func grant(asked: Int, maximum: Int = highestLevel, now: Duration) -> Int {
        if let lastGrant, now - lastGrant >= Self.thinkingTime { noteWork() }
        lastGrant = now
        return max(0, min(asked, maximum, ceiling))
    }
}
