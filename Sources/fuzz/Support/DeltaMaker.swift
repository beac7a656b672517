// DeltaMaker: builds screens and deltas out of an input's bytes.
// Spec: docs/protocol.md §4

import TutorProtocol

/// Builds screens and deltas over a small set of ids, so that ids collide often.
///
/// Numbers are multiples of 1/64: sums of them are exact, in whatever order they are added.
struct DeltaMaker {
    var choices: Choices

    mutating func snapshot(limit: Int) -> ScreenSnapshot {
        var elements: [Element] = []
        for _ in 0..<choices.below(limit + 1) {
            let new = element()
            if !elements.contains(where: { $0.id == new.id }) { elements.append(new) }
        }
        return ScreenSnapshot(revision: 1, elements: elements, focus: focus())
    }

    /// A delta on `revision`, most often one that fits it.
    mutating func delta(on revision: Int64) -> ScreenDelta {
        let shape = choices.byte()
        var delta = ScreenDelta(base: revision, revision: revision + 1 + Int64(shape >> 6))
        if shape & 0x0F == 0x0F { delta.base += Int64(choices.below(3)) - 1 }
        if shape & 0x0F == 0x0E { delta.revision = delta.base - Int64(choices.below(2)) }
        for _ in 0..<choices.below(4) { delta.remove.append(id()) }
        for _ in 0..<choices.below(4) { delta.add.append(element()) }
        for _ in 0..<choices.below(4) { delta.update.append(update()) }
        for _ in 0..<choices.below(3) { delta.move.append(move()) }
        delta.focus = focus()
        return delta
    }

    private mutating func id() -> ElementID { Self.ids[choices.below(Self.ids.count)] }

    private mutating func text(_ prefix: String) -> String { "\(prefix)\(choices.below(3))" }

    private mutating func number() -> Double { Double(Int8(bitPattern: choices.byte())) / 64 }

    private mutating func box() -> Box {
        let shape = choices.byte()
        // Some lie beyond the door, or so near to it that a move takes them through.
        let far = shape & 0x1F == 0x1F ? 5_000.0 : (shape & 0x1F == 0x1E ? 999 : 0)
        return required(
            Box(x: far + number(), y: number(), width: Double(shape >> 5) / 8, height: 0.125),
            "small numbers are a box")
    }

    private mutating func element() -> Element {
        let shape = choices.byte()
        var element = Element(
            id: id(), kind: Self.kinds[Int(shape & 3)], content: text("t"), box: box(),
            states: ElementStates(rawValue: shape & 0x40))
        if shape & 4 != 0 { element.region = text("r") }
        if shape & 8 != 0 { element.value = text("v") }
        if shape & 16 != 0 { element.line = Int(shape >> 4) }
        if shape & 32 != 0 { element.parent = id() }
        return element
    }

    private mutating func update() -> ElementUpdate {
        var update = ElementUpdate(id: id())
        let shape = choices.byte()
        if shape & 1 != 0 { update.content = text("t") }
        if shape & 2 != 0 { update.kind = Self.kinds[choices.below(4)] }
        if shape & 4 != 0 { update.box = box() }
        if shape & 8 != 0 { update.states = ElementStates(rawValue: choices.byte()) }
        if shape & 16 != 0 { update.value = change { $0.text("v") } }
        if shape & 32 != 0 { update.label = change { $0.text("l") } }
        if shape & 64 != 0 { update.region = change { $0.text("r") } }
        if shape & 128 != 0 {
            update.placeholder = change { $0.text("p") }
            update.line = change { $0.choices.below(9) }
            update.parent = change { $0.id() }
        }
        return update
    }

    private mutating func change<Value>(
        _ make: (inout DeltaMaker) -> Value
    ) -> ElementUpdate.Change<Value> {
        switch choices.below(3) {
        case 0: .keep
        case 1: .remove
        default: .set(make(&self))
        }
    }

    private mutating func move() -> ElementMove {
        let shape = choices.byte()
        let by = required(
            Point(x: shape & 0x80 == 0 ? number() : 900, y: number()), "small numbers are a point")
        switch shape & 3 {
        case 0: return ElementMove(by: by, target: .all)
        case 1: return ElementMove(by: by, target: .region(text("r")))
        default:
            var ids: [ElementID] = []
            for _ in 0..<choices.below(4) { ids.append(id()) }
            return ElementMove(by: by, target: .ids(ids))
        }
    }

    private mutating func focus() -> Focus? {
        switch choices.below(6) {
        case 1: .element(id())
        case 2: Point(x: number() * 1_024, y: 0.5).map(Focus.point)
        case 3: .box(box())
        default: nil
        }
    }

    private static let kinds: [ElementKind] = [.text, .input, .button, .math]
    private static let ids = (0..<14).compactMap { ElementID("e\($0)") }
}
