// Box: a bounding box, and a point.
// Spec: docs/protocol.md §3 (coordinates), §4 (`box`)

/// A bounding box [x, y, width, height].
///
/// Finite, and its size is not negative; it may lie outside the screen.
///
/// Whose convention the numbers follow depends on where the box stands: in a client message and in an encoded event
/// the client's own; everywhere inside the server normalised, 1 = the screen, origin top left.
public struct Box: Sendable, Hashable {
    /// Left edge.
    public let x: Double
    /// Top edge (bottom edge in a bottom-left convention).
    public let y: Double
    /// Width, >= 0.
    public let width: Double
    /// Height, >= 0.
    public let height: Double

    /// Takes a box, or returns nil when a number is not finite or a size is negative.
    public init?(x: Double, y: Double, width: Double, height: Double) {
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width >= 0, height >= 0 else { return nil }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// All zeros, for a box that is about to be read.
    static var zero: Self { Self(checked: 0, 0, 0, 0) }

    /// Takes numbers that have been looked at.
    @inline(__always)
    init(checked x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether there is nothing to draw a ring around.
    public var isEmpty: Bool { width == 0 || height == 0 }

    /// Horizontal centre.
    public var midX: Double { x + width / 2 }

    /// Vertical centre.
    public var midY: Double { y + height / 2 }
}

/// A point in the same conventions as ``Box``.
///
/// Finite.
public struct Point: Sendable, Hashable {
    /// Horizontal position.
    public let x: Double
    /// Vertical position.
    public let y: Double

    /// Takes a point, or returns nil when a number is not finite.
    public init?(x: Double, y: Double) {
        guard x.isFinite, y.isFinite else { return nil }
        self.x = x
        self.y = y
    }
}

/// Width and height of a screen, in the client's pixels.
///
/// Finite and positive.
public struct ScreenSize: Sendable, Hashable {
    /// Width in pixels, > 0.
    public let width: Double
    /// Height in pixels, > 0.
    public let height: Double

    /// Takes a size, or returns nil when a number is not finite and positive.
    public init?(width: Double, height: Double) {
        guard width.isFinite, height.isFinite, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }
}
