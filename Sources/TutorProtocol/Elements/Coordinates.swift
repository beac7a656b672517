// Coordinates: the convention a client counts boxes in.
// Spec: docs/protocol.md §3 (`coordinates`)

/// The convention a client counts its boxes in, declared once in `hello`.
public struct Coordinates: Sendable, Hashable {
    /// Where y = 0 is.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        case bottomLeft = "bottom-left"
        case topLeft = "top-left"
    }

    /// What 1 means.
    public enum Unit: String, Sendable, Hashable, CaseIterable {
        /// 1 = the screen.
        case normalized
        /// 1000 = the screen.
        case permille
        /// 1 = one pixel of the snapshot's `size`.
        case pixels
    }

    /// Where y = 0 is.
    ///
    /// Default top left.
    public var origin: Origin
    /// What 1 means.
    ///
    /// Default normalised.
    public var unit: Unit

    /// Makes a convention; the defaults are the protocol's.
    public init(origin: Origin = .topLeft, unit: Unit = .normalized) {
        self.origin = origin
        self.unit = unit
    }
}
