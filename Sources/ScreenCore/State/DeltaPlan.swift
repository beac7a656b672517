// DeltaPlan: what a delta will do, checked before anything is done.
// Spec: docs/protocol.md §4 (`screen.delta`)

import TutorProtocol

/// What a delta will do to a screen.
///
/// Making the plan finds every fault, so carrying it out cannot stop half way; only the elements that the delta names
/// are copied.
struct DeltaPlan {
    enum FocusChange {
        case keep
        case set(Focus?)
    }

    /// Positions of elements that go.
    private(set) var removed: Set<Int> = []
    /// New descriptions by position, of elements that stay.
    private(set) var updated: [Int: Element] = [:]
    /// Elements that come, in the order sent.
    private(set) var added: [Element] = []
    /// What becomes of the focus.
    private(set) var focus = FocusChange.keep

    private var addedByID: [ElementID: Int] = [:]
    private var screen: ScreenState
    private let door: ScreenDoor

    init(_ delta: ScreenDelta, on screen: ScreenState, door: ScreenDoor) throws(ScreenError) {
        self.screen = screen
        self.door = door
        guard delta.revision > delta.base, delta.revision <= ScreenDoor.maximumRevision else {
            throw .invalid(path: "revision", reason: "not above base")
        }
        var operations = 0
        for (path, count) in [
            ("remove", delta.remove.count), ("add", delta.add.count), ("update", delta.update.count),
            ("move", delta.move.count),
        ] {
            operations += count
            guard operations <= door.limits.deltaOperations else {
                throw .invalid(path: path, reason: "more than \(door.limits.deltaOperations) operations")
            }
        }
        try remove(delta.remove)
        try add(delta.add)
        try update(delta.update)
        try move(delta.move)
        if let newer = delta.focus {
            focus = .set(try door.admit(newer) { self.place(of: $0) != nil })
        }
        // Holding on to the screen would make its next change copy it.
        self.screen = ScreenState()
    }

    private mutating func remove(_ ids: [ElementID]) throws(ScreenError) {
        for (number, id) in ids.enumerated() {
            guard let position = screen.positionsByID[id], removed.insert(position).inserted else {
                throw .unknownID(path: "remove[\(number)]")
            }
        }
    }

    private mutating func add(_ elements: [Element]) throws(ScreenError) {
        guard screen.elements.count - removed.count + elements.count <= door.limits.elements else {
            throw .limit(path: "add")
        }
        for (number, element) in elements.enumerated() {
            guard place(of: element.id) == nil else {
                throw .invalid(path: "add[\(number)].id", reason: "is in use")
            }
            addedByID[element.id] = added.count
            added.append(try door.admit(element, path: "add[\(number)]"))
        }
    }

    private mutating func update(_ updates: [ElementUpdate]) throws(ScreenError) {
        for (number, update) in updates.enumerated() {
            guard let place = place(of: update.id) else { throw .unknownID(path: "update[\(number)].id") }
            var element = self[place]
            element.take(update)
            if let box = update.box { element.box = try door.admit(box, path: "update[\(number)].box") }
            try door.check(element.content, path: "update[\(number)].content")
            try door.check(element.placeholder, path: "update[\(number)].placeholder")
            try door.check(element.value, path: "update[\(number)].value")
            try door.check(element.label, path: "update[\(number)].label")
            try door.check(element.region, path: "update[\(number)].region")
            self[place] = element
        }
    }

    /// Adds up the shifts first, so that many moves of everything cost one pass; only where things end up is checked.
    private mutating func move(_ moves: [ElementMove]) throws(ScreenError) {
        guard !moves.isEmpty else { return }
        var shiftOfAll = Shift()
        var shiftOfRegion: [String: Shift] = [:]
        var shiftOfPlace: [Place: Shift] = [:]
        var lastMove = 0
        for (number, move) in moves.enumerated() {
            guard let by = door.mapper.normalized(shift: move.by) else {
                throw .invalid(path: "move[\(number)].by", reason: "not a finite shift")
            }
            lastMove = number
            switch move.target {
            case .all:
                shiftOfAll.add(by)
            case .region(let region):
                shiftOfRegion[region, default: Shift()].add(by)
            case .ids(let ids):
                var seen: Set<ElementID> = []
                for (entry, id) in ids.enumerated() {
                    let path = "move[\(number)].ids[\(entry)]"
                    guard let place = place(of: id) else { throw .unknownID(path: path) }
                    guard seen.insert(id).inserted else { throw .invalid(path: path, reason: "is named twice") }
                    shiftOfPlace[place, default: Shift()].add(by)
                }
            }
        }
        let places: [Place] =
            if shiftOfAll.isZero && shiftOfRegion.isEmpty {
                Array(shiftOfPlace.keys)
            } else {
                screen.elements.indices.filter { !removed.contains($0) }.map(Place.existing)
                    + added.indices.map(Place.added)
            }
        for place in places {
            var element = self[place]
            var shift = shiftOfAll
            if let region = element.region, let own = shiftOfRegion[region] { shift.add(own) }
            if let own = shiftOfPlace[place] { shift.add(own) }
            guard !shift.isZero else { continue }
            let box = element.box
            guard let box = Box(x: box.x + shift.x, y: box.y + shift.y, width: box.width, height: box.height),
                ScreenDoor.isNear(box)
            else { throw .invalid(path: "move[\(lastMove)].by", reason: "more than 1000 screens away") }
            element.box = box
            self[place] = element
        }
    }

    /// Where an element of the plan is kept.
    private enum Place: Hashable {
        case added(Int)
        case existing(Int)
    }

    private func place(of id: ElementID) -> Place? {
        if let number = addedByID[id] { return .added(number) }
        guard let position = screen.positionsByID[id], !removed.contains(position) else { return nil }
        return .existing(position)
    }

    private subscript(place: Place) -> Element {
        get {
            switch place {
            case .added(let number): added[number]
            case .existing(let position): updated[position] ?? screen.elements[position].element
            }
        }
        set {
            switch place {
            case .added(let number): added[number] = newValue
            case .existing(let position): updated[position] = newValue
            }
        }
    }
}

/// A sum of shifts.
private struct Shift {
    var x = 0.0
    var y = 0.0

    var isZero: Bool { x == 0 && y == 0 }

    mutating func add(_ point: Point) {
        x += point.x
        y += point.y
    }

    mutating func add(_ other: Shift) {
        x += other.x
        y += other.y
    }
}

extension Element {
    /// Takes the keys of an update, all but the box, which the door has to see first.
    fileprivate mutating func take(_ update: ElementUpdate) {
        kind = update.kind ?? kind
        content = update.content ?? content
        states = update.states ?? states
        update.placeholder.change(&placeholder)
        update.value.change(&value)
        update.label.change(&label)
        update.region.change(&region)
        update.line.change(&line)
        update.parent.change(&parent)
    }
}

extension ElementUpdate.Change {
    fileprivate func change(_ old: inout Value?) {
        switch self {
        case .keep: break
        case .remove: old = nil
        case .set(let value): old = value
        }
    }
}
