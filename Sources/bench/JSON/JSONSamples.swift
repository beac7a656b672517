// JSONSamples: the messages that the JSON benchmark reads and writes.
// Spec: docs/protocol.md §4, §5

internal import TutorProtocol

/// The messages that the JSON benchmark reads and writes; the same bytes in every run.
enum JSONSamples {
    /// A `screen.delta` of about 3.75 KB: 12 elements added and 8 updated, each with id, type, content, box and state.
    ///
    /// Mostly ASCII; every third text has letters of two bytes.
    static let delta = delta(texts: latin)
    /// A delta of the same shape whose texts are Chinese.
    static let chineseDelta = delta(texts: chinese)
    /// A `screen.snapshot` that just fits the default limit of a client message, 256 KiB.
    static let snapshot = snapshot(byteCount: Limits().clientMessageBytes)

    /// One `answer.delta` of 91 bytes.
    static let event = LoggedEvent(
        seq: 1_234, event: .answerDelta(AnswerDelta(turn: TurnID(12), text: " so both \"sides\" lose the 3.\n")))

    private static let latin = [
        "Solve for x: subtract 3 from both sides, then divide by 2. Check the answer.",
        "Résoudre l'équation : soustraire 3 des deux côtés, puis diviser par 2 où il faut.",
        "2x + 3 = 7, so 2x = 4 and x = 2; what does the graph look like then?",
        "Submit your answer and go to the next exercise of this chapter",
        "Wie groß ist der Flächeninhalt? Bitte die Lösung in cm² eintragen.",
        "Try again: the sign of the second term changed when you moved it.",
    ]

    private static let chinese = [
        "解方程：两边同时减去三，然后除以二，最后检查答案。",
        "提交你的答案，然后进入本章的下一道练习题。",
        "请再试一次：移项以后第二项的符号应该改变。",
        "这个三角形的面积是多少？请用平方厘米填写。",
    ]

    private static let kinds = ["text", "math", "button", "input", "heading", "link"]
    private static let states = [#"["focused"]"#, "[]", #"["disabled"]"#, #"["selected","expanded"]"#]

    private static func element(_ number: Int, texts: [String]) -> String {
        let x = Double(number % 7) * 0.1325 + 0.0125
        let y = Double(number % 11) * 0.0875 + 0.005
        let id = "item-\(number / 10).\(number % 10)"
        let kind = kinds[number % kinds.count]
        let box = "[\(short(x)),\(short(y)),0.3625,0.0415]"
        return #"{"id":"\#(id)","type":"\#(kind)","content":"\#(texts[number % texts.count])","box":\#(box),"#
            + #""state":\#(states[number % states.count])}"#
    }

    /// Four decimals.
    private static func short(_ number: Double) -> Double { Double(Int(number * 10_000 + 0.5)) / 10_000 }

    private static func delta(texts: [String]) -> [UInt8] {
        let added = (0..<12).map { element($0, texts: texts) }.joined(separator: ",")
        let updated = (12..<20).map { element($0, texts: texts) }.joined(separator: ",")
        let text =
            #"{"type":"screen.delta","id":"d8","base":7,"revision":8,"remove":["item-9.1","item-9.2"],"#
            + #""add":[\#(added)],"update":[\#(updated)],"focus":{"element":"item-0.1"}}"#
        return Array(text.utf8)
    }

    private static func snapshot(byteCount: Int) -> [UInt8] {
        var text = #"{"type":"screen.snapshot","id":"s1","revision":7,"size":[1170,2532],"elements":["#
        var number = 0
        while true {
            let next = element(number, texts: latin)
            if text.utf8.count + next.utf8.count + 3 > byteCount { break }
            text += number == 0 ? next : "," + next
            number += 1
        }
        return Array((text + "]}").utf8)
    }
}
