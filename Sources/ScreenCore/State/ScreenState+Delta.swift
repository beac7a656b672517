// ScreenState, deltas: takes what changed, whole or not at all.
// Spec: docs/protocol.md §4 (`screen.delta`)

public import TutorProtocol

extension ScreenState {
    /// Takes what changed, whole or not at all, in the order remove, add, update, move.
    ///
    /// A delta with the server's own revision is a repeat after a lost ack and changes nothing. A delta that only
    /// sets the focus is a delta like any other.
    public mutating func apply(
        _ delta: ScreenDelta, coordinates: Coordinates, limits: Limits
    ) throws(ScreenError) -> ScreenChange {
        if hasScreen, delta.revision == revision {
            var change = ScreenChange()
            change.isRepeat = true
            return change
        }
        guard hasScreen, delta.base == revision else { throw .gap(serverRevision: revision) }
        let door = try ScreenDoor(coordinates: coordinates, size: size, limits: limits)
        let plan = try DeltaPlan(delta, on: self, door: door)
        return commit(plan, revision: delta.revision)
    }

    /// Does what a plan says; cannot fail.
    private mutating func commit(_ plan: DeltaPlan, revision: Int64) -> ScreenChange {
        self.revision = revision
        var change = ScreenChange()
        for (position, newer) in plan.updated.sorted(by: { $0.key < $1.key }) {
            let old = elements[position]
            if old.element.kind == newer.kind {
                change.note(old.serial, from: old.element, to: newer)
                elements[position] = old.updated(to: newer, at: revision)
            } else {
                let serial = mintSerial()
                change.removed.append(old.serial)
                change.added.append(serial)
                positionsBySerial[old.serial] = nil
                positionsBySerial[serial] = position
                elements[position] = ScreenElement(serial: serial, element: newer, contentRevision: revision)
            }
        }
        if !plan.removed.isEmpty { drop(plan.removed, into: &change) }
        let firstAdded = elements.count
        for element in plan.added {
            let serial = mintSerial()
            change.added.append(serial)
            elements.append(ScreenElement(serial: serial, element: element, contentRevision: revision))
        }
        index(from: firstAdded)
        settleFocus(plan.focus)
        return change
    }

    private mutating func drop(_ removed: Set<Int>, into change: inout ScreenChange) {
        var kept: [ScreenElement] = []
        kept.reserveCapacity(elements.count - removed.count)
        var firstRemoved = elements.count
        for (position, element) in elements.enumerated() {
            guard removed.contains(position) else {
                kept.append(element)
                continue
            }
            firstRemoved = min(firstRemoved, position)
            change.removed.append(element.serial)
            positionsByID[element.id] = nil
            positionsBySerial[element.serial] = nil
        }
        elements = kept
        index(from: firstRemoved)
    }

    private mutating func settleFocus(_ newer: DeltaPlan.FocusChange) {
        if case .set(let focus) = newer { self.focus = focus }
        if case .element(let id) = focus, positionsByID[id] == nil { focus = nil }
    }
}
