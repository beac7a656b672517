// ScreenMirror: the screen as a client knows it, kept apart from the server's code.
// Spec: docs/protocol.md §4

import TutorProtocol

/// The screen as a client knows it: what it sent and saw acknowledged.
///
/// Boxes are normalised, origin top left.
struct ScreenMirror: Hashable {
    struct Item: Hashable {
        /// The identity: another number is another element.
        var identity: Int
        var element: Element

        var isShowable: Bool {
            element.states.isDisjoint(with: [.hidden, .secure]) && element.box.width > 0 && element.box.height > 0
        }
    }

    private(set) var hasScreen = false
    private(set) var revision: Int64 = 0
    private(set) var url: String?
    private(set) var items: [ElementID: Item] = [:]
    private var lastIdentity = 0

    mutating func apply(_ snapshot: ScreenSnapshot) {
        let isSamePage = snapshot.url == nil || snapshot.url == url
        let goesOn = hasScreen && isSamePage && snapshot.revision > revision
        var next: [ElementID: Item] = [:]
        for element in snapshot.elements {
            if goesOn, let old = items[element.id], old.element.kind == element.kind {
                next[element.id] = Item(identity: old.identity, element: element)
            } else {
                next[element.id] = newItem(element)
            }
        }
        items = next
        hasScreen = true
        revision = snapshot.revision
        url = snapshot.url ?? url
    }

    mutating func apply(_ delta: ScreenDelta) {
        for id in delta.remove { items[id] = nil }
        for element in delta.add { items[element.id] = newItem(element) }
        for update in delta.update {
            guard var item = items[update.id] else { continue }
            if let content = update.content { item.element.content = content }
            if let box = update.box { item.element.box = box }
            if let states = update.states { item.element.states = states }
            if let kind = update.kind, kind != item.element.kind {
                item.element.kind = kind
                item = newItem(item.element)
            }
            items[update.id] = item
        }
        for move in delta.move {
            for (id, item) in items {
                if case .ids(let ids) = move.target, !ids.contains(id) { continue }
                let box = item.element.box
                let moved = Box(x: box.x + move.by.x, y: box.y + move.by.y, width: box.width, height: box.height)
                if let moved { items[id]?.element.box = moved }
            }
        }
        revision = delta.revision
    }

    func item(identity: Int) -> Item? {
        items.values.first { $0.identity == identity }
    }

    private mutating func newItem(_ element: Element) -> Item {
        lastIdentity += 1
        return Item(identity: lastIdentity, element: element)
    }
}
