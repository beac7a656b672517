// SelectCommand: which elements of a screen a model would get, and why.
// Spec: docs/relevance.md

internal import ScreenCore
internal import TutorProtocol

/// `select`, for one screen or, with `--batch`, for a line of JSON each.
enum SelectCommand {
    static func run(_ arguments: [String]) throws -> Int32 {
        var flags = try Flags(arguments, switches: ["batch", "json"])
        let budget = try number(flags.take("budget"), named: "budget")
        if flags.switches.contains("batch") {
            try flags.requireEmpty()
            return try runBatch(budget: budget)
        }
        guard let path = flags.take("screen") else { throw UsageError("select needs --screen FILE or --batch") }
        guard let question = flags.take("question") else { throw UsageError("select needs --question TEXT") }
        let focus = try flags.take("focus").map(point)
        try flags.requireEmpty()
        let file = try ElementFileDecoder().decode(try Output.contents(path))
        let selection = try select(
            SelectRequest(file: file, question: question, focus: focus, budget: budget, changed: [], lastTouched: nil))
        if flags.switches.contains("json") {
            var line: [UInt8] = []
            SelectReport.append(selection, to: &line)
            Output.write(line + [UInt8(ascii: "\n")])
        } else {
            Output.write(SelectReport.table(selection))
        }
        return 0
    }

    /// One answer a line, in order.
    ///
    /// A line that cannot be followed is answered by `{"error":…}`, and the status is 1.
    private static func runBatch(budget: Int?) throws -> Int32 {
        var status: Int32 = 0
        try Output.forEachLine { line in
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
            var answer: [UInt8] = []
            do throws(MessageError) {
                var request = try SelectRequest(line: line)
                request.budget = request.budget ?? budget
                SelectReport.append(try select(request), to: &answer)
            } catch {
                status = 1
                SelectReport.append(error, to: &answer)
            }
            answer.append(UInt8(ascii: "\n"))
            Output.write(answer)
        }
        return status
    }

    private static func select(_ request: SelectRequest) throws(MessageError) -> ScreenSelection {
        var limits = Limits()
        // Files are the operator's own: only what a screen cannot have at all is refused.
        limits.elements = ElementFileDecoder.maximumElements
        limits.contentBytes = Int.max
        var screen = ScreenState()
        do throws(ScreenError) {
            _ = try screen.apply(
                ScreenSnapshot(
                    revision: 1, size: request.file.size, elements: request.file.elements, focus: request.focus),
                coordinates: Coordinates(), limits: limits)
        } catch {
            throw MessageError(code: .badMessage, message: "not a screen: \(error)")
        }
        func serial(_ id: ElementID) -> ElementSerial? { screen.element(id)?.serial }
        var aliases = AliasTable()
        var selector = ScreenSelector()
        if let budget = request.budget { selector.budget = budget }
        return selector.select(
            screen,
            query: RelevanceQuery(
                question: request.question, focus: request.focus ?? request.file.focus,
                changed: Set(request.changed.compactMap(serial)),
                lastTouched: request.lastTouched.flatMap(serial)),
            aliases: &aliases)
    }

    private static func number(_ text: String?, named name: String) throws(UsageError) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number > 0 else { throw UsageError("--\(name) takes a whole number above 0") }
        return number
    }

    private static func point(_ text: String) throws(UsageError) -> Focus {
        let parts = text.split(separator: ",").map { Double($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], let point = Point(x: x, y: y) else {
            throw UsageError("--focus takes X,Y between 0 and 1")
        }
        return .point(point)
    }
}

/// One line of a batch.
struct SelectRequest {
    var file: ElementFile
    var question: String
    var focus: Focus?
    var budget: Int?
    var changed: [ElementID]
    var lastTouched: ElementID?
}

extension SelectRequest {
    /// Reads `{"screen":{"elements":[…]},"question":"…","focus"?,"budget"?,"changed"?:[ids],"last_touched"?:id}`.
    init(line: [UInt8]) throws(MessageError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(line, limits: ElementFileDecoder.jsonLimits)
        } catch {
            throw MessageError(code: .badFrame, message: "the line is not JSON: \(error)")
        }
        func wrong(_ path: String, _ what: String) -> MessageError {
            MessageError(code: .badMessage, message: what, path: path)
        }
        guard let screen = value["screen"] else { throw wrong("screen", "a screen is missing") }
        guard let question = value["question"]?.string else { throw wrong("question", "a question is missing") }
        let decoder = ElementFileDecoder()
        file = try decoder.decode(screen)
        self.question = question
        if let focus = value["focus"], !focus.isNull { self.focus = try decoder.decodeFocus(focus) }
        if let budget = value["budget"], !budget.isNull {
            guard let number = budget.int, number > 0 else { throw wrong("budget", "not a whole number above 0") }
            self.budget = number
        }
        changed = []
        if let list = value["changed"], !list.isNull {
            guard let ids = list.array else { throw wrong("changed", "not a list of ids") }
            for (index, id) in ids.enumerated() {
                guard let id = id.string.flatMap({ ElementID($0) }) else {
                    throw wrong("changed[\(index)]", "not an id")
                }
                changed.append(id)
            }
        }
        if let id = value["last_touched"], !id.isNull {
            guard let id = id.string.flatMap({ ElementID($0) }) else { throw wrong("last_touched", "not an id") }
            lastTouched = id
        }
    }
}
