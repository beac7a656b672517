// ScreenDoor: checks and normalises what comes in with a screen message.
// Spec: docs/protocol.md §3 (`coordinates`), §4 (boxes), §11 (limits)

import TutorProtocol

/// Checks and normalises elements, boxes and focus at the door, so that inside every box is normalised and in range.
struct ScreenDoor {
    /// How far from the screen a box may lie, in screens: scrolled content goes that far and no further.
    static let maximumDistance = 1_000.0
    /// The highest revision: integers above it are not exact in JSON.
    static let maximumRevision: Int64 = 9_007_199_254_740_991

    let mapper: CoordinateMapper
    let limits: Limits

    init(coordinates: Coordinates, size: ScreenSize?, limits: Limits) throws(ScreenError) {
        guard let mapper = CoordinateMapper(coordinates: coordinates, size: size) else {
            throw .invalid(path: "size", reason: "boxes in pixels need a size")
        }
        self.mapper = mapper
        self.limits = limits
    }

    /// The element with its box normalised.
    func admit(_ element: Element, path: @autoclosure () -> String) throws(ScreenError) -> Element {
        var element = element
        element.box = try admit(element.box, path: path() + ".box")
        try check(element.content, path: path() + ".content")
        try check(element.placeholder, path: path() + ".placeholder")
        try check(element.value, path: path() + ".value")
        try check(element.label, path: path() + ".label")
        try check(element.region, path: path() + ".region")
        return element
    }

    /// The box, normalised.
    func admit(_ box: Box, path: @autoclosure () -> String) throws(ScreenError) -> Box {
        guard let box = mapper.normalized(box), Self.isNear(box) else {
            throw .invalid(path: path(), reason: "more than 1000 screens away")
        }
        return box
    }

    /// The focus, normalised; nil when it names an element that is not there.
    ///
    /// Attention is a hint: it is no reason to refuse a screen.
    func admit(_ focus: Focus, exists: (ElementID) -> Bool) throws(ScreenError) -> Focus? {
        switch focus {
        case .element(let id):
            return exists(id) ? focus : nil
        case .box(let box):
            return .box(try admit(box, path: "focus.box"))
        case .point(let point):
            guard let point = mapper.normalized(point), Self.isNear(point.x, 0), Self.isNear(point.y, 0) else {
                throw .invalid(path: "focus.point", reason: "more than 1000 screens away")
            }
            return .point(point)
        }
    }

    /// Whether a normalised box is near enough to be kept.
    static func isNear(_ box: Box) -> Bool {
        isNear(box.x, box.width) && isNear(box.y, box.height)
    }

    private static func isNear(_ start: Double, _ length: Double) -> Bool {
        start >= -maximumDistance && start + length <= 1 + maximumDistance
    }

    /// Checks the length of a text; nil for the limit of an element's texts.
    func check(_ text: String?, limit: Int? = nil, path: @autoclosure () -> String) throws(ScreenError) {
        let limit = limit ?? limits.contentBytes
        guard let text, text.utf8.count > limit else { return }
        throw .invalid(path: path(), reason: "longer than \(limit) bytes")
    }
}
