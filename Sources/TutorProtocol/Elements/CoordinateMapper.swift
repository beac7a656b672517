// CoordinateMapper: turns boxes from a client's convention into the server's and back.
// Spec: docs/protocol.md §3 (`coordinates`)

/// Turns boxes from a client's convention into the server's (normalised, origin top left) and back.
public struct CoordinateMapper: Sendable, Hashable {
    /// The client's convention.
    public let coordinates: Coordinates
    /// How many of the client's units make a screen, horizontally.
    private let unitsX: Double
    /// How many of the client's units make a screen, vertically.
    private let unitsY: Double

    /// Makes a mapper, or returns nil when the convention counts pixels and the size is not known.
    public init?(coordinates: Coordinates, size: ScreenSize?) {
        self.coordinates = coordinates
        switch coordinates.unit {
        case .normalized:
            unitsX = 1
            unitsY = 1
        case .permille:
            unitsX = 1_000
            unitsY = 1_000
        case .pixels:
            guard let size else { return nil }
            unitsX = size.width
            unitsY = size.height
        }
    }

    /// The convention of the server itself: changes nothing.
    public static let canonical = CoordinateMapper()

    private init() {
        coordinates = Coordinates()
        unitsX = 1
        unitsY = 1
    }

    /// The client's box in the server's convention; nil when a number overflows.
    public func normalized(_ box: Box) -> Box? {
        let y = box.y / unitsY
        let height = box.height / unitsY
        return Box(
            x: box.x / unitsX, y: coordinates.origin == .topLeft ? y : 1 - y - height, width: box.width / unitsX,
            height: height)
    }

    /// The client's point in the server's convention; nil when a number overflows.
    public func normalized(_ point: Point) -> Point? {
        let y = point.y / unitsY
        return Point(x: point.x / unitsX, y: coordinates.origin == .topLeft ? y : 1 - y)
    }

    /// The client's shift in the server's convention; nil when a number overflows.
    public func normalized(shift: Point) -> Point? {
        let y = shift.y / unitsY
        return Point(x: shift.x / unitsX, y: coordinates.origin == .topLeft ? y : -y)
    }

    /// The server's box in the client's convention; nil when a number overflows.
    public func client(_ box: Box) -> Box? {
        let y = coordinates.origin == .topLeft ? box.y : 1 - box.y - box.height
        return Box(x: box.x * unitsX, y: y * unitsY, width: box.width * unitsX, height: box.height * unitsY)
    }
}
