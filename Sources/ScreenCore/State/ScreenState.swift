// ScreenState: the student's screen as the server knows it.
// Spec: docs/protocol.md §4

public import TutorProtocol

/// The student's screen as the server knows it.
///
/// Changed only by whole messages (``apply(_:coordinates:limits:)``).
///
/// A copy shares its storage until one of the two changes, so a turn can pin the screen it is about for nothing.
public struct ScreenState: Sendable {
    /// The client's number of this state; 0 before the first snapshot.
    public internal(set) var revision: Int64 = 0
    /// Whether a snapshot has come.
    public internal(set) var hasScreen = false
    /// Size in the client's pixels, if it said.
    public internal(set) var size: ScreenSize?
    /// The page's title.
    public internal(set) var title: String?
    /// The page's address; another one begins a new screen.
    public internal(set) var url: String?
    /// Where the student's attention is, normalised.
    ///
    /// Names only an element that exists.
    public internal(set) var focus: Focus?
    /// Every element, in the client's order.
    public internal(set) var elements: [ScreenElement] = []

    var positionsByID: [ElementID: Int] = [:]
    var positionsBySerial: [ElementSerial: Int] = [:]
    /// The serial that the next new element gets.
    var nextSerial: UInt64 = 1
    /// The number in the next id that the server gives by itself.
    var nextMintedID = 1

    /// Makes an empty state: no screen yet.
    public init() {}

    /// The element with this id, if it is there now.
    public func element(_ id: ElementID) -> ScreenElement? {
        positionsByID[id].map { elements[$0] }
    }

    /// The element with this serial, if it is there now.
    public func element(serial: ElementSerial) -> ScreenElement? {
        positionsBySerial[serial].map { elements[$0] }
    }

    /// The mapper between this screen and a client's convention; nil when that counts pixels and no size is known.
    public func mapper(for coordinates: Coordinates) -> CoordinateMapper? {
        CoordinateMapper(coordinates: coordinates, size: size)
    }

    /// The elements of this state that an earlier one did not have, or had with another look.
    ///
    /// Empty when the two have no element in common: on a new screen everything is new, which says nothing.
    public func changes(since earlier: ScreenState) -> Set<ElementSerial> {
        var changed: Set<ElementSerial> = []
        var isSameScreen = false
        for element in elements {
            guard let before = earlier.element(serial: element.serial) else {
                changed.insert(element.serial)
                continue
            }
            isSameScreen = true
            if !ScreenElement.sameLook(before.element, element.element) { changed.insert(element.serial) }
        }
        return isSameScreen ? changed : []
    }

    mutating func mintSerial() -> ElementSerial {
        defer { nextSerial += 1 }
        return ElementSerial(rawValue: nextSerial)
    }

    /// Makes the look-up tables right again from one position on.
    mutating func index(from start: Int) {
        for position in elements.indices[start...] {
            positionsByID[elements[position].id] = position
            positionsBySerial[elements[position].serial] = position
        }
    }
}
