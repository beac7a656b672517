// JSONReader+Event: the inner objects of numbered events.
// Spec: docs/protocol.md §5

extension JSONReader {
    /// A count as the encoder writes it; negative ones too, which nothing forbids it.
    mutating func count() throws(JSONError) -> Int { Int(try integer()) }

    /// Counts by name.
    mutating func counts() throws(JSONError) -> [String: Int] {
        var counts: [String: Int] = [:]
        try openObject()
        while let key = try nextKey() {
            let name = string(key)
            counts[name] = try count()
        }
        return counts
    }

    /// The `context` of `turn.start`; what is missing is 0 or empty.
    mutating func turnContext() throws(JSONError) -> TurnStart.Context {
        var context = TurnStart.Context()
        try openObject()
        while let name = try nextName() {
            switch name {
            case "elements": context.elements = try count()
            case "sent": context.sent = try count()
            case "prompt_tokens": context.promptTokens = try count()
            case "budget": context.budget = try count()
            case "left_out": context.leftOut = try counts()
            case "redacted": context.redacted = try counts()
            case "summaries": context.summaries = try count()
            default: try skip()
            }
        }
        return context
    }

    /// The `dropped` of `turn.end`.
    mutating func dropped() throws(JSONError) -> [TurnEnd.Dropped] {
        var list: [TurnEnd.Dropped] = []
        try openArray()
        while try nextElement() {
            let start = try valueStart()
            var element: String?
            var why: TurnEnd.Dropped.Why?
            try openObject()
            while let name = try nextName() {
                switch name {
                case "element": element = string(try text())
                case "why": why = try self.name(of: TurnEnd.Dropped.Why.self)
                default: try skip()
                }
            }
            guard let element, let why else { throw JSONError(.missing, at: start) }
            list.append(TurnEnd.Dropped(element: element, why: why))
        }
        return list
    }

    /// The `usage` of `turn.end`.
    mutating func usage() throws(JSONError) -> TurnEnd.Usage {
        let start = try valueStart()
        var input: Int?
        var cached: Int?
        var output: Int?
        var estimated: Bool?
        try openObject()
        while let name = try nextName() {
            switch name {
            case "input": input = try count()
            case "cached": cached = try count()
            case "output": output = try count()
            case "estimated": estimated = try boolean()
            default: try skip()
            }
        }
        guard let input, let cached, let output, let estimated else { throw JSONError(.missing, at: start) }
        return TurnEnd.Usage(input: input, cached: cached, output: output, estimated: estimated)
    }
}
