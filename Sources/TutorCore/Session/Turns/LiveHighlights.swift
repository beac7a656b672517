// LiveHighlights: what the student was shown of the newest turn, and how it fares on the changing screen.
// Spec: docs/protocol.md §5 rules 8 and 9

public import ScreenCore
public import TutorProtocol

/// What the student was shown of the newest turn: rings that live for a while, and the elements of open steps.
///
/// An element is watched once, however often it was shown. Bounded by the limits of rings and steps of a turn.
public struct LiveHighlights: Sendable, Hashable {
    fileprivate struct Target: Sendable, Hashable {
        var turn: TurnID
        var serial: ElementSerial
        var id: ElementID
        /// The box that the client has.
        var box: Box
        /// The content that the tutor spoke of.
        var content: String
        /// The ring as it was sent; nil without one.
        var ring: Highlight?
        /// When the ring ends; nil without one.
        var ringUntil: Duration?
        /// Open steps on this element, as they were sent.
        var steps: [NextAction] = []
    }

    /// In the order in which they were shown.
    private var targets: [Target] = []

    /// Makes an empty list.
    public init() {}

    /// Rings alive at a time.
    public func ringCount(now: Duration) -> Int {
        targets.count { $0.hasRing(now: now) }
    }

    /// Watches an element that got a ring.
    public mutating func addRing(_ ring: Highlight, on element: ScreenElement, until end: Duration) {
        let index = watch(element, turn: ring.turn)
        targets[index].ring = ring
        targets[index].ringUntil = max(end, targets[index].ringUntil ?? end)
    }

    /// Watches the element of a step.
    public mutating func addStep(_ step: NextAction, on element: ScreenElement) {
        targets[watch(element, turn: step.turn)].steps.append(step)
    }

    /// Watches the element of a step no more, unless it has a ring.
    public mutating func closeStep(_ step: Int, of turn: TurnID) {
        for index in targets.indices where targets[index].turn == turn {
            targets[index].steps.removeAll { $0.step == step }
        }
        targets.removeAll { $0.ringUntil == nil && $0.steps.isEmpty }
    }

    /// Ends everything, as the next turn's start does.
    public mutating func removeAll() {
        targets.removeAll()
    }

    /// What a client has to be told after the screen became another: targets that moved, and those that are gone, which
    /// are watched no more.
    ///
    /// A ring whose time is over needs no word: the client ends it by itself.
    public mutating func follow(_ screen: ScreenState, now: Duration) -> [HighlightUpdate] {
        var updates: [HighlightUpdate] = []
        var kept: [Target] = []
        for var target in targets where target.hasRing(now: now) || !target.steps.isEmpty {
            let found = screen.element(serial: target.serial)
            if let why = target.whyGone(found) {
                updates.append(target.update(box: nil, revision: screen.revision, why: why))
                continue
            }
            if let box = found?.element.box, box != target.box {
                target.box = box
                updates.append(target.update(box: box, revision: screen.revision))
            }
            kept.append(target)
        }
        targets = kept
        return updates
    }

    /// One update for each target still alive, for a client that comes back.
    public func alive(on screen: ScreenState, now: Duration) -> [HighlightUpdate] {
        targets.filter { $0.hasRing(now: now) || !$0.steps.isEmpty }
            .map { $0.update(box: $0.box, revision: screen.revision) }
    }

    /// What a turn still shows, each thing with its newest box and the time that is left.
    public func shown(of turn: TurnID, on screen: ScreenState, now: Duration) -> SessionSnapshot.Shown {
        var shown = SessionSnapshot.Shown()
        for target in targets where target.turn == turn {
            if var ring = target.ring, let end = target.ringUntil, end > now {
                ring.box = target.box
                ring.revision = screen.revision
                ring.ttlMilliseconds = (end - now).wholeMilliseconds
                shown.highlights.append(ring)
            }
            for var step in target.steps {
                step.box = target.box
                step.revision = screen.revision
                shown.nextActions.append(step)
            }
        }
        shown.nextActions.sort { $0.step < $1.step }
        return shown
    }

    /// The place of an element's entry, made when there is none.
    private mutating func watch(_ element: ScreenElement, turn: TurnID) -> Int {
        if let index = targets.firstIndex(where: { $0.serial == element.serial && $0.turn == turn }) {
            targets[index].box = element.element.box
            return index
        }
        targets.append(
            Target(
                turn: turn, serial: element.serial, id: element.id, box: element.element.box,
                content: element.element.content))
        return targets.count - 1
    }
}

extension LiveHighlights.Target {
    fileprivate func hasRing(now: Duration) -> Bool {
        ringUntil.map { $0 > now } ?? false
    }

    /// Why the target can be shown no more; nil when it can.
    fileprivate func whyGone(_ found: ScreenElement?) -> HighlightUpdate.Why? {
        guard let found else { return .removed }
        if !found.isShowable || found.element.box.isEmpty { return .hidden }
        // What a student writes into an input is the student's work; any other text that changed is another text.
        if !found.element.kind.isInput, found.element.content != content { return .stale }
        return nil
    }

    fileprivate func update(box: Box?, revision: Int64, why: HighlightUpdate.Why? = nil) -> HighlightUpdate {
        HighlightUpdate(turn: turn, element: id, box: box, revision: revision, why: why)
    }
}
