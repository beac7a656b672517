// SelectReport: a selection as JSON and as a table for people.

internal import ScreenCore
internal import TutorProtocol

/// A selection as JSON and as a table for people.
enum SelectReport {
    /// `{"elements":[{"id","score","tokens","sent","reasons"} best first],"prompt":"…","tokens":n}`.
    static func append(_ selection: ScreenSelection, to line: inout [UInt8]) {
        JSONWriter.append(literal: #"{"elements":["#, to: &line)
        for (index, element) in selection.ranked.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            JSONWriter.append(literal: #"{"id":"#, to: &line)
            JSONWriter.append(element.id.rawValue, to: &line)
            JSONWriter.append(literal: #","score":"#, to: &line)
            JSONWriter.append(sixDecimals: element.score, to: &line)
            JSONWriter.append(literal: #","tokens":"#, to: &line)
            JSONWriter.append(element.tokens, to: &line)
            JSONWriter.append(literal: #","sent":"#, to: &line)
            JSONWriter.append(element.isSent, to: &line)
            JSONWriter.append(literal: #","reasons":["#, to: &line)
            for (index, reason) in element.reasons.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                JSONWriter.append(reason, to: &line)
            }
            JSONWriter.append(literal: "]}", to: &line)
        }
        JSONWriter.append(literal: #"],"prompt":"#, to: &line)
        JSONWriter.append(selection.rows, to: &line)
        JSONWriter.append(literal: #","tokens":"#, to: &line)
        JSONWriter.append(selection.tokens, to: &line)
        JSONWriter.append(literal: "}", to: &line)
    }

    /// `{"error":{"code":"…","message":"…","path":"…"}}`.
    static func append(_ error: MessageError, to line: inout [UInt8]) {
        JSONWriter.append(literal: #"{"error":{"code":"#, to: &line)
        JSONWriter.append(error.code.rawValue, to: &line)
        JSONWriter.append(literal: #","message":"#, to: &line)
        JSONWriter.append(error.message, to: &line)
        if let path = error.path {
            JSONWriter.append(literal: #","path":"#, to: &line)
            JSONWriter.append(path, to: &line)
        }
        JSONWriter.append(literal: "}}", to: &line)
    }

    /// The elements, best first, then the rows as a model would get them.
    static func table(_ selection: ScreenSelection) -> String {
        var text = "score   tokens  sent  id            why\n"
        for element in selection.ranked {
            let score = String(Int((element.score * 100).rounded()))
            let whole = score.count > 2 ? String(score.dropLast(2)) : "0"
            let decimals = String(("0" + score).suffix(2))
            text +=
                pad(whole + "." + decimals, 8) + pad(String(element.tokens), 8) + pad(element.isSent ? "yes" : "-", 6)
            text += pad(element.id.rawValue, 14) + element.reasons.joined(separator: " ") + "\n"
        }
        return text + "\n" + selection.rows + "\n\n\(selection.tokens) tokens of \(selection.budget)\n"
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
