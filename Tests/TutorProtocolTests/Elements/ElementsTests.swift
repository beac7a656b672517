// ElementsTests: ids, boxes, kinds, states and coordinates.
// Spec: docs/protocol.md §3 (coordinates), §4

import Testing
import TutorProtocol

@Suite("Elements")
struct ElementsTests {
    @Test(arguments: ["e1", "A", "a.b_c:d-e", "0", String(repeating: "z", count: 64)])
    func acceptsAnElementID(text: String) { #expect(ElementID(text)?.description == text) }

    @Test(arguments: [
        "", " ", "a b", "a/b", "é", "e\u{301}", "a\u{200D}b", "\u{202E}a", "а", "a\u{0}", "漢",
        String(repeating: "z", count: 65),
    ])
    func refusesAnElementID(text: String) { #expect(ElementID(text) == nil) }

    @Test func acceptsNoByteOutsideTheAlphabetOfIDs() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-".utf8)
        for byte in UInt8.min...0x7F {
            #expect((ElementID(String(UnicodeScalar(byte))) != nil) == allowed.contains(byte))
        }
    }

    @Test func boxesHoldOnlyFiniteNumbersAndNoNegativeSize() {
        #expect(Box(x: -5, y: 1_000, width: 0, height: 0)?.isEmpty == true)
        #expect(Box(x: 0, y: 0, width: -1, height: 0) == nil)
        #expect(Box(x: 0, y: 0, width: 0, height: -1) == nil)
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(Box(x: bad, y: 0, width: 1, height: 1) == nil)
            #expect(Box(x: 0, y: bad, width: 1, height: 1) == nil)
            #expect(Box(x: 0, y: 0, width: bad, height: 1) == nil)
            #expect(Box(x: 0, y: 0, width: 1, height: bad) == nil)
            #expect(Point(x: bad, y: 0) == nil)
            #expect(Point(x: 0, y: bad) == nil)
            #expect(ScreenSize(width: bad, height: 1) == nil)
            #expect(ScreenSize(width: 1, height: bad) == nil)
        }
        #expect(ScreenSize(width: 0, height: 1) == nil)
        #expect(ScreenSize(width: 1, height: -1) == nil)
    }

    @Test func unknownKindsAreOther() {
        #expect(ElementKind(wire: "carousel") == .other)
        for kind in ElementKind.allCases { #expect(ElementKind(wire: kind.rawValue) == kind) }
        #expect(ElementKind.allCases.filter(\.isInput) == [.checkbox, .input, .radio, .select, .switch])
    }

    @Test func everyStateHasItsOwnBitAndName() {
        let states = ElementStates.names
        #expect(Set(states.map(\.name)).count == 8)
        #expect(Set(states.map(\.state.rawValue)).count == 8)
        #expect(states.reduce(into: ElementStates()) { $0.formUnion($1.state) }.rawValue == 0xFF)
    }

    @Test func mapsBoxesThereAndBack() throws {
        var random = SeededRandom(state: 7)
        for origin in Coordinates.Origin.allCases {
            for unit in Coordinates.Unit.allCases {
                let mapper = try #require(
                    CoordinateMapper(
                        coordinates: Coordinates(origin: origin, unit: unit),
                        size: ScreenSize(width: 390, height: 844)))
                for _ in 0..<50 {
                    let box = try box(
                        .random(in: -3...3, using: &random), .random(in: -3...3, using: &random),
                        .random(in: 0...2, using: &random), .random(in: 0...2, using: &random))
                    let back = try #require(mapper.client(box).flatMap { mapper.normalized($0) })
                    for (left, right) in [
                        (back.x, box.x), (back.y, box.y), (back.width, box.width), (back.height, box.height),
                    ] {
                        #expect(abs(left - right) < 1e-12)
                    }
                }
            }
        }
    }

    @Test func turnsTheVerticalAxisOfABottomLeftClient() throws {
        let mapper = try #require(
            CoordinateMapper(coordinates: Coordinates(origin: .bottomLeft, unit: .permille), size: nil))
        #expect(mapper.normalized(try box(100, 0, 200, 250)) == (try box(0.1, 0.75, 0.2, 0.25)))
        #expect(mapper.normalized(try #require(Point(x: 0, y: 250))) == Point(x: 0, y: 0.75))
        #expect(mapper.normalized(shift: try #require(Point(x: 100, y: 250))) == Point(x: 0.1, y: -0.25))
    }

    @Test func pixelsNeedASize() {
        #expect(CoordinateMapper(coordinates: Coordinates(unit: .pixels), size: nil) == nil)
        #expect(CoordinateMapper(coordinates: Coordinates(unit: .permille), size: nil) != nil)
    }

    @Test func aBoxThatOverflowsIsNone() throws {
        let mapper = try #require(CoordinateMapper(coordinates: Coordinates(unit: .permille), size: nil))
        #expect(mapper.client(try box(1e306, 0, 1, 1)) == nil)
    }
}
