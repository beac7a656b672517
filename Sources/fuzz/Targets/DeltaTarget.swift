// DeltaTarget: a refused delta changes nothing, and an accepted one agrees with the naive model of a screen.
// Spec: docs/protocol.md §4 (`screen.delta`)

import ScreenCore
import TutorProtocol

/// The input's bytes choose a snapshot and then deltas on it, until they are used up.
func fuzzDelta(_ bytes: [UInt8]) {
    var limits = Limits()
    limits.elements = 10
    var maker = DeltaMaker(choices: Choices(bytes))
    let snapshot = maker.snapshot(limit: limits.elements)
    var state = ScreenState()
    var model = NaiveScreen(snapshot, elementLimit: limits.elements)
    do throws(ScreenError) {
        _ = try state.apply(snapshot, coordinates: Coordinates(), limits: limits)
    } catch {
        // A box of it lies too far away.
        return
    }
    var serials: [Int: ElementSerial] = [:]
    check(state, model, &serials)
    while !maker.choices.isEmpty {
        let delta = maker.delta(on: state.revision)
        let before = state
        let isExpected = model.apply(delta)
        do throws(ScreenError) {
            let change = try state.apply(delta, coordinates: Coordinates(), limits: limits)
            invariant(isExpected, "the model refuses \(delta)")
            check(change, from: before, to: state)
        } catch {
            invariant(!isExpected, "refused as \(error), the model takes \(delta)")
            invariant(
                state.elements == before.elements && state.revision == before.revision && state.focus == before.focus,
                "a refused delta changed the screen: \(delta)")
        }
        check(state, model, &serials)
    }
}

/// The state is the model's, and an identity has one serial for ever.
private func check(_ state: ScreenState, _ model: NaiveScreen, _ serials: inout [Int: ElementSerial]) {
    invariant(state.revision == model.revision, "revision \(state.revision), model \(model.revision)")
    invariant(
        state.focus == model.focus, "focus \(String(describing: state.focus)), \(String(describing: model.focus))")
    let elements = state.elements.map(\.element)
    invariant(elements == model.items.map(\.element), "elements \(elements), model \(model.items.map(\.element))")
    invariant(
        state.elements.map(\.contentRevision) == model.items.map(\.contentRevision), "revisions of contents differ")
    for (element, item) in zip(state.elements, model.items) {
        invariant(serials[item.identity] ?? element.serial == element.serial, "\(element.id) got another serial")
        serials[item.identity] = element.serial
        invariant(
            state.element(element.id) == element && state.element(serial: element.serial) == element,
            "\(element.id) is not found")
    }
    invariant(Set(state.elements.map(\.serial)).count == state.elements.count, "a serial stands twice")
}

/// What a change says came and went is what came and went.
private func check(_ change: ScreenChange, from old: ScreenState, to new: ScreenState) {
    let before = Set(old.elements.map(\.serial))
    let after = Set(new.elements.map(\.serial))
    invariant(Set(change.added) == after.subtracting(before), "added \(change.added)")
    invariant(Set(change.removed) == before.subtracting(after), "removed \(change.removed)")
    let lists = [change.added, change.removed, change.contentChanged, change.altered, change.moved]
    for list in lists { invariant(Set(list).count == list.count, "an element is listed twice: \(list)") }
}
