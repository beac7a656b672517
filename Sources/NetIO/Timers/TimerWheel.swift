// TimerWheel: many timers at O(1) each, and the time until the next one.
// Source: Varghese and Lauck 1987, scheme 7 (hierarchical timing wheels)

/// Many timers at O(1) each for start, cancel and fire.
///
/// Goal: ten thousand connections and their sessions may each hold a few timers, most of which are cancelled or moved
/// before they fire. Plan: four wheels of 64 slots with ticks of 1 ms, 64 ms, 4 s and 4.4 min; a timer lies in the
/// slot of its deadline on the coarsest wheel that tells it from now, and moves to a finer wheel when that slot comes
/// up. A bit mask a wheel finds the next slot in use without a scan. Cost: a timer moves at most three times.
///
/// A timer never fires early and at most one tick late. Delays beyond 4.6 h wait on the last wheel and are looked at
/// again each time their slot comes up.
package struct TimerWheel<Payload> {
    /// Names a timer; a stale one is recognised and ignored.
    package struct ID: Hashable, Sendable {
        fileprivate let index: Int32
        fileprivate let generation: UInt32
    }

    private struct Node {
        var deadline: UInt64
        var payload: Payload?
        var generation: UInt32
        var slot: Int32
        var previous: Int32
        var next: Int32
    }

    private var nodes: [Node] = []
    private var freeHead: Int32 = -1
    private var heads: [Int32]
    private var masks: [UInt64]
    /// The tick up to which everything has fired.
    private var tick: UInt64

    /// Timers running.
    package private(set) var count = 0

    /// Starts the wheel at a time in milliseconds of any monotonic clock.
    package init(startMilliseconds: UInt64) {
        heads = [Int32](repeating: -1, count: Self.levels * Self.slots)
        masks = [UInt64](repeating: 0, count: Self.levels)
        tick = startMilliseconds
    }

    /// Starts a timer that fires at a time in milliseconds; one in the past fires at the next ``advance(to:)``.
    package mutating func insert(deadlineMilliseconds: UInt64, payload: Payload) -> ID {
        let index: Int32
        if freeHead >= 0 {
            index = freeHead
            freeHead = nodes[Int(index)].next
            nodes[Int(index)].deadline = deadlineMilliseconds
            nodes[Int(index)].payload = payload
        } else {
            index = Int32(truncatingIfNeeded: nodes.count)
            nodes.append(
                Node(
                    deadline: deadlineMilliseconds, payload: payload, generation: 0, slot: -1, previous: -1, next: -1))
        }
        count += 1
        link(index)
        return ID(index: index, generation: nodes[Int(index)].generation)
    }

    /// Stops a timer.
    ///
    /// Returns its payload, or nil when it has fired or was stopped before.
    @discardableResult
    package mutating func remove(_ id: ID) -> Payload? {
        let index = Int(id.index)
        guard index < nodes.count, nodes[index].generation == id.generation, nodes[index].slot >= 0 else { return nil }
        if nodes[index].slot != Self.dueSlot { unlink(id.index) }
        return release(id.index)
    }

    /// Moves to a time and returns what is due until then: in the order of the deadlines' ticks, and within a
    /// tick in that of starting (but for delays beyond the last wheel).
    ///
    /// Each is to be taken by ``remove(_:)``, which gives nil for one that was stopped by one before it.
    package mutating func advance(to milliseconds: UInt64) -> [ID] {
        var fired: [ID] = []
        while let due = nextMilliseconds, due <= milliseconds {
            tick = max(tick, due)
            // A coarse slot that comes up is spread over the finer wheels first; what is due then lies on wheel 0.
            for level in stride(from: Self.levels - 1, through: 1, by: -1)
            where tick & ((1 << UInt64(Self.bits * level)) - 1) == 0 {
                relinkSlot(level: level, slot: Self.slot(of: tick, level: level))
            }
            fireSlot(Self.slot(of: tick, level: 0), into: &fired)
        }
        tick = max(tick, milliseconds)
        return fired
    }

    /// The time at which something may be due next, in milliseconds; nil without timers.
    ///
    /// The first tick after (or at) the current one whose slot on any wheel is in use.
    package var nextMilliseconds: UInt64? {
        var best: UInt64?
        for level in 0..<Self.levels where masks[level] != 0 {
            let shift = UInt64(Self.bits * level)
            let position = tick >> shift
            let current = Int(position & Self.slotMask)
            // Rotate so that the current slot is bit 0. On wheel 0 it may hold what is due at this very tick; on the
            // coarser ones it was spread when it came up, and `link` never chooses it.
            let rotated = masks[level].rotatedRight(by: current)
            let candidates = level == 0 ? rotated : rotated & ~1
            let distance: UInt64 =
                candidates != 0 ? UInt64(candidates.trailingZeroBitCount) : UInt64(Self.slots)
            let due = (position + distance) << shift
            best = min(best ?? due, due)
        }
        return best
    }

    private mutating func link(_ index: Int32) {
        let deadline = max(nodes[Int(index)].deadline, tick)
        let (level, position) = place(for: deadline)
        let slot = Int32(level * Self.slots + position)
        let head = heads[Int(slot)]
        nodes[Int(index)].slot = slot
        nodes[Int(index)].previous = -1
        nodes[Int(index)].next = head
        if head >= 0 { nodes[Int(head)].previous = index }
        heads[Int(slot)] = index
        masks[level] |= 1 << UInt64(Int(slot) % Self.slots)
    }

    private func place(for deadline: UInt64) -> (level: Int, slot: Int) {
        // The highest bit in which deadline and tick differ says on which wheel the two fall into different slots.
        let difference = deadline ^ tick
        let level = difference == 0 ? 0 : (63 - difference.leadingZeroBitCount) / Self.bits
        if level < Self.levels { return (level, Self.slot(of: deadline, level: level)) }
        // Beyond the last wheel's turn, or just across its end: within a turn its own slot, else the slot that comes up
        // last, to be looked at again then.
        let last = Self.levels - 1
        let shift = UInt64(Self.bits * last)
        let distance = min((deadline >> shift) - (tick >> shift), UInt64(Self.slots - 1))
        return (last, Int(truncatingIfNeeded: ((tick >> shift) + distance) & Self.slotMask))
    }

    private mutating func unlink(_ index: Int32) {
        let node = nodes[Int(index)]
        if node.previous >= 0 {
            nodes[Int(node.previous)].next = node.next
        } else {
            heads[Int(node.slot)] = node.next
            if node.next < 0 {
                masks[Int(node.slot) / Self.slots] &= ~(1 << UInt64(Int(node.slot) % Self.slots))
            }
        }
        if node.next >= 0 { nodes[Int(node.next)].previous = node.previous }
        nodes[Int(index)].slot = -1
    }

    private mutating func release(_ index: Int32) -> Payload? {
        let payload = nodes[Int(index)].payload
        nodes[Int(index)].payload = nil
        nodes[Int(index)].slot = -1
        nodes[Int(index)].generation &+= 1
        nodes[Int(index)].next = freeHead
        freeHead = index
        count -= 1
        return payload
    }

    /// Empties a slot of a coarse wheel and links each of its timers anew, the oldest first, so that timers of one tick
    /// keep their order whatever wheels they came over.
    private mutating func relinkSlot(level: Int, slot: Int) {
        let moved = indices(from: heads[level * Self.slots + slot])
        heads[level * Self.slots + slot] = -1
        masks[level] &= ~(1 << UInt64(slot))
        for index in moved { link(index) }
    }

    private mutating func fireSlot(_ slot: Int, into fired: inout [ID]) {
        for index in indices(from: heads[slot]) where nodes[Int(index)].deadline <= tick {
            unlink(index)
            nodes[Int(index)].slot = Self.dueSlot
            fired.append(ID(index: index, generation: nodes[Int(index)].generation))
        }
    }

    /// A list's timers, the oldest first: they are linked at the head.
    private func indices(from head: Int32) -> [Int32] {
        var found: [Int32] = []
        var index = head
        while index >= 0 {
            found.append(index)
            index = nodes[Int(index)].next
        }
        return found.reversed()
    }

    private static func slot(of milliseconds: UInt64, level: Int) -> Int {
        Int(truncatingIfNeeded: (milliseconds >> UInt64(bits * level)) & slotMask)
    }

    private static var bits: Int { 6 }
    private static var slots: Int { 64 }
    private static var slotMask: UInt64 { 63 }
    private static var levels: Int { 4 }
    /// In no list: due, and not yet taken.
    private static var dueSlot: Int32 { Int32.max }
}

extension UInt64 {
    fileprivate func rotatedRight(by amount: Int) -> UInt64 {
        amount == 0 ? self : (self >> UInt64(amount)) | (self << UInt64(64 - amount))
    }
}
