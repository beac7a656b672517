// Screens: short ways to write down screens in tests.

import ScreenCore
import TutorProtocol

/// An id that is written in the test; a wrong one fails the test at once.
func id(_ name: String) -> ElementID {
    guard let id = ElementID(name) else { preconditionFailure("\(name) is no id") }
    return id
}

/// A box that is written in the test.
func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
    guard let box = Box(x: x, y: y, width: width, height: height) else { preconditionFailure("no box") }
    return box
}

/// A point that is written in the test.
func point(_ x: Double, _ y: Double) -> Point {
    guard let point = Point(x: x, y: y) else { preconditionFailure("no point") }
    return point
}

/// An element with as little said as possible.
func element(
    _ name: String, _ kind: ElementKind = .text, _ content: String = "", at box: Box = box(0.1, 0.1, 0.2, 0.05),
    states: ElementStates = [], region: String? = nil
) -> Element {
    Element(id: id(name), kind: kind, content: content, box: box, states: states, region: region)
}

/// Elements one under the other, each on its own row.
func column(_ contents: [String], kind: ElementKind = .text, height: Double = 0.03) -> [Element] {
    contents.enumerated().map { number, content in
        element("e\(number)", kind, content, at: box(0.05, 0.05 + Double(number) * (height + 0.005), 0.9, height))
    }
}

/// A screen made by one snapshot.
func screen(
    _ elements: [Element], title: String? = nil, size: ScreenSize? = nil, focus: Focus? = nil
) throws -> ScreenState {
    var state = ScreenState()
    let snapshot = ScreenSnapshot(revision: 1, size: size, title: title, elements: elements, focus: focus)
    _ = try state.apply(snapshot, coordinates: Coordinates(), limits: Limits())
    return state
}

extension ScreenState {
    /// Takes a snapshot with the defaults.
    @discardableResult
    mutating func take(_ snapshot: ScreenSnapshot, limits: Limits = Limits()) throws(ScreenError) -> ScreenChange {
        try apply(snapshot, coordinates: Coordinates(), limits: limits)
    }

    /// Takes a delta with the defaults.
    @discardableResult
    mutating func take(_ delta: ScreenDelta, limits: Limits = Limits()) throws(ScreenError) -> ScreenChange {
        try apply(delta, coordinates: Coordinates(), limits: limits)
    }
}

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
