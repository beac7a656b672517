// The state against a simple model of it, over many random messages.

import ScreenCore
import Testing
import TutorProtocol

/// The rules of the protocol in their plainest form: lists that are searched, everything done on a copy.
private struct ReferenceScreen {
    struct Item: Equatable {
        var identity: Int
        var element: Element
        var contentRevision: Int64
    }

    var revision: Int64 = 0
    var hasScreen = false
    var url: String?
    var items: [Item] = []
    var focus: Focus?
    var identities = 0

    private func isFar(_ box: Box) -> Bool {
        box.x < -1_000 || box.y < -1_000 || box.x + box.width > 1_001 || box.y + box.height > 1_001
    }

    private func place(_ id: ElementID) -> Int? { items.firstIndex { $0.element.id == id } }

    private mutating func append(_ element: Element) {
        identities += 1
        items.append(Item(identity: identities, element: element, contentRevision: revision))
    }

    /// False: refused.
    mutating func apply(_ snapshot: ScreenSnapshot) -> Bool {
        let ids = snapshot.elements.map(\.id)
        if Set(ids).count != ids.count || snapshot.elements.contains(where: { isFar($0.box) }) { return false }
        let keeps = hasScreen && snapshot.revision > revision && (snapshot.url == nil || snapshot.url == url)
        let old = keeps ? items : []
        revision = snapshot.revision
        hasScreen = true
        url = snapshot.url ?? url
        items = []
        for element in snapshot.elements {
            if let same = old.first(where: { $0.element.id == element.id && $0.element.kind == element.kind }) {
                let isSame = same.element.content == element.content && same.element.value == element.value
                items.append(
                    Item(
                        identity: same.identity, element: element,
                        contentRevision: isSame ? same.contentRevision : revision))
            } else {
                append(element)
            }
        }
        focus = snapshot.focus
        dropLostFocus()
        return true
    }

    /// False: refused.
    mutating func apply(_ delta: ScreenDelta, limits: Limits) -> Bool {
        if hasScreen, delta.revision == revision { return true }
        var next = self
        guard hasScreen, delta.base == revision, delta.revision > delta.base else { return false }
        next.revision = delta.revision
        for id in delta.remove {
            guard let place = next.place(id) else { return false }
            next.items.remove(at: place)
        }
        for element in delta.add {
            guard next.place(element.id) == nil, !isFar(element.box) else { return false }
            next.append(element)
        }
        guard next.items.count <= limits.elements else { return false }
        for update in delta.update {
            guard let place = next.place(update.id) else { return false }
            if let content = update.content { next.items[place].element.content = content }
            if case .set(let value) = update.value { next.items[place].element.value = value }
            if case .remove = update.value { next.items[place].element.value = nil }
            if let box = update.box {
                guard !isFar(box) else { return false }
                next.items[place].element.box = box
            }
            if let kind = update.kind { next.items[place].element.kind = kind }
        }
        for move in delta.move {
            let moved: [Int]
            switch move.target {
            case .all: moved = Array(next.items.indices)
            case .region(let region): moved = next.items.indices.filter { next.items[$0].element.region == region }
            case .ids(let ids):
                moved = ids.compactMap { next.place($0) }
                guard moved.count == ids.count, Set(moved).count == ids.count else { return false }
            }
            for place in moved {
                let old = next.items[place].element.box
                next.items[place].element.box = box(old.x + move.by.x, old.y + move.by.y, old.width, old.height)
            }
        }
        if next.items.contains(where: { isFar($0.element.box) }) { return false }
        for place in next.items.indices {
            guard let before = items.first(where: { $0.identity == next.items[place].identity }) else { continue }
            let after = next.items[place].element
            if before.element.kind != after.kind {
                next.identities += 1
                next.items[place].identity = next.identities
                next.items[place].contentRevision = delta.revision
            } else if before.element.content != after.content || before.element.value != after.value {
                next.items[place].contentRevision = delta.revision
            }
        }
        if let focus = delta.focus { next.focus = focus }
        next.dropLostFocus()
        self = next
        return true
    }

    private mutating func dropLostFocus() {
        if case .element(let id) = focus, place(id) == nil { focus = nil }
    }
}

/// Random messages over a small set of ids, so that ids collide often.
private struct MessageMaker {
    var random: SeededGenerator
    static let kinds: [ElementKind] = [.text, .input, .button]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func someID() -> ElementID { id("e\(number(0..<14))") }

    mutating func someBox() -> Box {
        if chance(1) { return box(5_000, 0, 1, 1) }
        return box(Double(number(-80..<160)) / 64, Double(number(-80..<160)) / 64, Double(number(0..<64)) / 64, 0.125)
    }

    mutating func someElement() -> Element {
        var element = Element(
            id: someID(), kind: Self.kinds[number(0..<3)], content: "t\(number(0..<4))", box: someBox())
        element.region = chance(40) ? "r\(number(0..<2))" : nil
        return element
    }

    mutating func someFocus() -> Focus? {
        switch number(0..<6) {
        case 0: .element(someID())
        case 1: .point(point(Double(number(0..<64)) / 64, 0.5))
        default: nil
        }
    }

    mutating func snapshot(after revision: Int64) -> ScreenSnapshot {
        var elements: [ElementID: Element] = [:]
        for _ in 0..<number(0..<12) {
            let element = someElement()
            elements[element.id] = element
        }
        var list = elements.values.sorted { $0.id.rawValue < $1.id.rawValue }
        list.shuffle(using: &random)
        if chance(5), let first = list.first { list.append(first) }
        return ScreenSnapshot(
            revision: chance(15) ? Int64(number(0..<20)) : revision + Int64(number(1..<4)),
            url: chance(10) ? "/\(number(0..<2))" : nil, elements: list, focus: someFocus())
    }

    mutating func delta(on reference: ReferenceScreen) -> ScreenDelta {
        var delta = ScreenDelta(base: reference.revision, revision: reference.revision + Int64(number(1..<4)))
        if chance(4) { delta.base += Int64(number(-2..<3)) }
        if chance(4) { delta.revision = delta.base }
        // Mostly ids that exist, or almost every delta would be refused.
        var present = reference.items.map(\.element.id)
        present.shuffle(using: &random)
        func pick(_ maker: inout MessageMaker, _ place: Int) -> ElementID {
            place < present.count && !maker.chance(3) ? present[place] : maker.someID()
        }
        for place in 0..<number(0..<3) { delta.remove.append(pick(&self, place)) }
        for _ in 0..<number(0..<3) {
            let element = someElement()
            if !present.contains(element.id) || delta.remove.contains(element.id) || chance(5) {
                delta.add.append(element)
            }
        }
        for place in 0..<number(0..<4) {
            var update = ElementUpdate(id: pick(&self, place + 3))
            if chance(60) { update.content = "t\(number(0..<4))" }
            if chance(30) { update.value = chance(50) ? .remove : .set("v\(number(0..<3))") }
            if chance(20) { update.kind = Self.kinds[number(0..<3)] }
            if chance(30) { update.box = someBox() }
            delta.update.append(update)
        }
        for _ in 0..<(chance(30) ? number(1..<3) : 0) {
            let by = chance(2) ? point(0, 900) : point(Double(number(-8..<9)) / 8, Double(number(-8..<9)) / 8)
            let target: ElementMove.Target =
                switch number(0..<3) {
                case 0: .all
                case 1: .region("r\(number(0..<2))")
                default: .ids((0..<number(0..<3)).map { pick(&self, $0 + 4) })
                }
            delta.move.append(ElementMove(by: by, target: target))
        }
        delta.focus = someFocus()
        return delta
    }
}

@Suite struct ScreenStateModelTests {
    /// 26 sessions of 800 messages.
    @Test(arguments: Array(UInt64(1)...26))
    func equalsTheReferenceAfterRandomMessages(seed: UInt64) throws {
        var limits = Limits()
        limits.elements = 12
        var maker = MessageMaker(random: SeededGenerator(seed: seed))
        var reference = ReferenceScreen()
        var state = ScreenState()
        var serials: [Int: ElementSerial] = [:]
        var accepted = 0
        for step in 0..<800 {
            let before = state.elements
            let isAccepted: Bool
            let isExpected: Bool
            if !reference.hasScreen || maker.chance(8) {
                let snapshot = maker.snapshot(after: reference.revision)
                isExpected = reference.apply(snapshot)
                isAccepted = (try? state.take(snapshot, limits: limits)) != nil
            } else {
                let delta = maker.delta(on: reference)
                isExpected = reference.apply(delta, limits: limits)
                isAccepted = (try? state.take(delta, limits: limits)) != nil
            }
            let place = "seed \(seed), step \(step)"
            try #require(isAccepted == isExpected, "\(place): one refused what the other took")
            if isAccepted { accepted += 1 } else { try #require(state.elements == before, "\(place): not whole") }
            try #require(state.revision == reference.revision, "\(place)")
            try #require(state.focus == reference.focus, "\(place)")
            try #require(state.elements.map(\.element) == reference.items.map(\.element), "\(place)")
            try #require(
                state.elements.map(\.contentRevision) == reference.items.map(\.contentRevision), "\(place)")
            for (element, item) in zip(state.elements, reference.items) {
                try #require(serials[item.identity] ?? element.serial == element.serial, "\(place): another serial")
                serials[item.identity] = element.serial
                try #require(state.element(element.id) == element && state.element(serial: element.serial) == element)
            }
        }
        #expect(Set(serials.values).count == serials.count, "seed \(seed): a serial was given twice")
        #expect(accepted > 300, "seed \(seed): the messages test too little")
    }
}
