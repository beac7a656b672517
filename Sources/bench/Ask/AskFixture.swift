// AskFixture: the screen and the question of the ask benchmark.
// Spec: docs/protocol.md §4, §5

/// The screen and the question of the ask benchmark: a page of exercises as a school site shows it, 60 elements.
enum AskFixture {
    /// `screen.snapshot`, revision 1.
    static let snapshot: String = {
        var elements: [String] = []
        func add(_ type: String, _ content: String, _ box: (Double, Double, Double, Double), _ more: String = "") {
            elements.append(
                #"{"id":"e\#(elements.count + 1)","type":"\#(type)","content":"\#(content)","#
                    + #""box":[\#(box.0),\#(box.1),\#(box.2),\#(box.3)]\#(more)}"#)
        }
        for (index, word) in ["Home", "Courses", "Homework", "Messages", "Calendar", "Help"].enumerated() {
            add("link", word, (0.05 + 0.12 * Double(index), 0.01, 0.1, 0.03), #","region":"nav""#)
        }
        add("heading", "Linear equations", (0.05, 0.06, 0.5, 0.04))
        add("text", "Solve each equation. Show every step.", (0.05, 0.11, 0.6, 0.03))
        for row in 0..<12 {
            let top = 0.16 + 0.065 * Double(row)
            let (a, b) = (row % 5 + 2, row * 3 + 1)
            add("text", "Exercise \(row + 1)", (0.05, top, 0.1, 0.02))
            add("math", "\(a)x + \(b) = \(a * 4 + b)", (0.17, top, 0.25, 0.02))
            add("math", "\(a)x = \(a * 4 + (row == 4 ? 2 * b : 0))", (0.17, top + 0.022, 0.25, 0.02))
            add("input", row < 4 ? "4" : "", (0.45, top, 0.15, 0.03), #","placeholder":"x = ?""#)
        }
        add("button", "Submit", (0.05, 0.95, 0.12, 0.03))
        add("button", "Save draft", (0.2, 0.95, 0.12, 0.03))
        add("text", "Due on Friday", (0.7, 0.06, 0.2, 0.03))
        add("text", "4 of 12", (0.7, 0.1, 0.2, 0.02))
        return #"{"type":"screen.snapshot","id":"s1","revision":1,"size":[1280,1600],"title":"Algebra 1","elements":["#
            + elements.joined(separator: ",") + "]}"
    }()

    /// `ask`, the n-th of its session.
    static func question(_ number: Int) -> String {
        #"{"type":"ask","id":"q\#(number)","text":"Why is my second line of exercise 5 wrong?","language":"en"}"#
    }
}
