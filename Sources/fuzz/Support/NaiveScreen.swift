// NaiveScreen: the rules of a screen in their plainest form, to hold the real one against.
// Spec: docs/protocol.md §4

import ScreenCore
import TutorProtocol

/// A screen as a list that is searched, where every delta works on a copy.
///
/// It knows normalised boxes with an origin at the top left only.
struct NaiveScreen {
    struct Item {
        var identity: Int
        var element: Element
        var contentRevision: Int64
    }

    private(set) var revision: Int64 = 0
    private(set) var items: [Item] = []
    private(set) var focus: Focus?
    private var identities = 0
    let elementLimit: Int

    /// A screen after its first snapshot.
    init(_ snapshot: ScreenSnapshot, elementLimit: Int) {
        self.elementLimit = elementLimit
        revision = snapshot.revision
        for element in snapshot.elements { append(element) }
        focus = snapshot.focus
        dropLostFocus()
    }

    /// Takes a delta whole, or returns false and stays as it is.
    mutating func apply(_ delta: ScreenDelta) -> Bool {
        if delta.revision == revision { return true }
        guard delta.base == revision, delta.revision > delta.base else { return false }
        var next = self
        next.revision = delta.revision
        guard next.remove(delta.remove), next.add(delta.add), next.update(delta.update), next.move(delta.move) else {
            return false
        }
        next.settle(since: self)
        if let focus = delta.focus {
            if case .point(let point) = focus, Self.isFar(point.x, 0) || Self.isFar(point.y, 0) { return false }
            if case .box(let box) = focus, Self.isFar(box) { return false }
            next.focus = focus
        }
        next.dropLostFocus()
        self = next
        return true
    }

    private func place(_ id: ElementID) -> Int? { items.firstIndex { $0.element.id == id } }

    private mutating func append(_ element: Element) {
        identities += 1
        items.append(Item(identity: identities, element: element, contentRevision: revision))
    }

    private mutating func remove(_ ids: [ElementID]) -> Bool {
        for id in ids {
            guard let place = place(id) else { return false }
            items.remove(at: place)
        }
        return true
    }

    private mutating func add(_ elements: [Element]) -> Bool {
        for element in elements {
            guard place(element.id) == nil, !Self.isFar(element.box) else { return false }
            append(element)
        }
        return items.count <= elementLimit
    }

    private mutating func update(_ updates: [ElementUpdate]) -> Bool {
        for update in updates {
            guard let place = place(update.id) else { return false }
            var element = items[place].element
            if let kind = update.kind { element.kind = kind }
            if let content = update.content { element.content = content }
            if let states = update.states { element.states = states }
            if let box = update.box {
                if Self.isFar(box) { return false }
                element.box = box
            }
            element.placeholder = Self.changed(element.placeholder, update.placeholder)
            element.value = Self.changed(element.value, update.value)
            element.label = Self.changed(element.label, update.label)
            element.region = Self.changed(element.region, update.region)
            element.line = Self.changed(element.line, update.line)
            element.parent = Self.changed(element.parent, update.parent)
            items[place].element = element
        }
        return true
    }

    private mutating func move(_ moves: [ElementMove]) -> Bool {
        for move in moves {
            var places: [Int] = []
            switch move.target {
            case .all: places = Array(items.indices)
            case .region(let region): places = items.indices.filter { items[$0].element.region == region }
            case .ids(let ids):
                for id in ids {
                    guard let place = place(id), !places.contains(place) else { return false }
                    places.append(place)
                }
            }
            for place in places {
                let old = items[place].element.box
                guard let box = Box(x: old.x + move.by.x, y: old.y + move.by.y, width: old.width, height: old.height)
                else { return false }
                items[place].element.box = box
            }
        }
        return !items.contains { Self.isFar($0.element.box) }
    }

    /// Gives elements that changed their kind another identity, and those that say something else a new revision.
    private mutating func settle(since old: NaiveScreen) {
        for place in items.indices {
            guard let before = old.items.first(where: { $0.identity == items[place].identity }) else { continue }
            let after = items[place].element
            if before.element.kind != after.kind {
                identities += 1
                items[place].identity = identities
                items[place].contentRevision = revision
            } else if before.element.content != after.content || before.element.value != after.value {
                items[place].contentRevision = revision
            }
        }
    }

    private mutating func dropLostFocus() {
        if case .element(let id) = focus, place(id) == nil { focus = nil }
    }

    private static func changed<Value>(_ old: Value?, _ change: ElementUpdate.Change<Value>) -> Value? {
        switch change {
        case .keep: old
        case .remove: nil
        case .set(let value): value
        }
    }

    private static func isFar(_ box: Box) -> Bool { isFar(box.x, box.width) || isFar(box.y, box.height) }

    private static func isFar(_ start: Double, _ length: Double) -> Bool {
        start < -1_000 || start + length > 1_001
    }
}
