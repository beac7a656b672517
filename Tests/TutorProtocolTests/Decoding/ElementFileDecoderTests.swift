// ElementFileDecoderTests: screens of files, and those of the evaluation data where it is at hand.
// Spec: docs/protocol.md §4 (element)

import Foundation
import Testing
import TutorProtocol

@Suite("Element files")
struct ElementFileDecoderTests {
    private func decode(_ text: String) throws -> ElementFile { try ElementFileDecoder().decode(Array(text.utf8)) }

    @Test func readsADataSetsScreen() throws {
        let file = try decode(
            """
            {"screen":"10287","elements":[{"id":"e0","type":"toolbar","text":"","box":[0.0,0.031,1.0,0.078]},
             {"id":"e1","type":"pictogram","text":"arrow backward","box":[0.0,0.031,0.132,0.078],"parent":"e0"},
             {"id":"e2","type":"text_input","content":"","placeholder":"Name","value":3,"focused":true,"box":[0,0,1,1]},
             {"id":"e3","type":"checkbox","value":true,"box":[0,0,1,1],"state":["disabled","odd"]}],
             "size":[100,200],"focus":{"point":[0.5,0.5]}}
            """)
        let expected = [
            Element(id: try elementID("e0"), kind: .other, content: "", box: try box(0, 0.031, 1, 0.078)),
            Element(
                id: try elementID("e1"), kind: .image, content: "arrow backward", box: try box(0, 0.031, 0.132, 0.078),
                parent: try elementID("e0")),
            Element(
                id: try elementID("e2"), kind: .input, content: "", box: try box(0, 0, 1, 1), placeholder: "Name",
                value: "3", states: .focused),
            Element(
                id: try elementID("e3"), kind: .checkbox, content: "", box: try box(0, 0, 1, 1),
                states: [.checked, .disabled]),
        ]
        #expect(
            file
                == ElementFile(
                    name: "10287", size: ScreenSize(width: 100, height: 200), elements: expected,
                    sourceTypes: ["toolbar", "pictogram", "text_input", "checkbox"],
                    focus: .point(try #require(Point(x: 0.5, y: 0.5)))))
    }

    @Test func readsABareList() throws {
        #expect(try decode(#"[{"id":"a","type":"link","text":"x","box":[0,0,1,1]}]"#).elements.map(\.kind) == [.link])
    }

    @Test(arguments: [
        (#"{}"#, "elements"), (#"{"elements":{}}"#, "elements"), (#"{"elements":[5]}"#, "elements[0]"),
        (#"{"elements":[{"id":"a b","type":"text","box":[0,0,1,1]}]}"#, "elements[0].id"),
        (#"{"elements":[{"id":"a","box":[0,0,1,1]}]}"#, "elements[0].type"),
        (#"{"elements":[{"id":"a","type":"text","box":[0,0,1]}]}"#, "elements[0].box"),
        (#"{"elements":[{"id":"a","type":"text","box":[0,0,1,-1]}]}"#, "elements[0].box"),
        (#"{"elements":[{"id":"a","type":"text","box":[0,0,1,"1"]}]}"#, "elements[0].box"),
        (
            #"{"elements":[{"id":"a","type":"text","box":[0,0,1,1]},{"id":"a","type":"text","box":[0,0,1,1]}]}"#,
            "elements[1].id"
        ),
        (#"{"elements":[],"size":[0,1]}"#, "size"), (#"{"elements":[],"focus":{"point":[1]}}"#, "focus"),
    ])
    func namesTheFaultyField(text: String, path: String) {
        let error = #expect(throws: MessageError.self) { try decode(text) }
        #expect(error?.code == .badMessage)
        #expect(error?.path == path)
    }

    @Test func refusesWhatIsNotJSON() {
        let error = #expect(throws: MessageError.self) { try decode("{") }
        #expect(error?.code == .badFrame)
    }

    @Test(arguments: [
        ("text", ElementKind.text), ("pictogram", .image), ("image", .image), ("button", .button), ("label", .text),
        ("list_item", .other), ("toolbar", .other), ("navigation_bar", .other), ("text_input", .input),
        ("checkbox", .checkbox), ("radio_button", .radio), ("switch", .switch), ("pager_indicator", .other),
        ("map", .image), ("keyboard", .other), ("heading", .heading), ("h3", .heading), ("div", .text), ("a", .link),
        ("option", .text), ("select", .select), ("textarea", .input), ("math", .math), ("never heard of", .other),
    ])
    func mapsOtherVocabularies(type: String, kind: ElementKind) {
        #expect(ElementKind(foreign: type) == kind)
    }

    static let dataFolder = ProcessInfo.processInfo.environment["CHALKLINE_EVAL_DATA"]

    @Test(.enabled(if: dataFolder != nil), arguments: ["screens_dev.jsonl", "screens_zh_dev.jsonl"])
    func readsTheEvaluationScreens(name: String) throws {
        let folder = try #require(Self.dataFolder)
        let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 400)
        for line in lines {
            let file = try decode(String(line))
            #expect(file.name != nil)
            #expect(!file.elements.isEmpty)
            #expect(file.sourceTypes.count == file.elements.count)
        }
    }
}
