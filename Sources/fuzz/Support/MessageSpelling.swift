// MessageSpelling: writes a client's message, as a client would.
// Spec: docs/protocol.md §2-§5

import TutorProtocol

/// Writes a client's message with every field that it has.
struct MessageSpelling {
    /// Whether `type` is the first key, which the decoder reads in one pass, or the last.
    let typeFirst: Bool

    func bytes(of message: ClientMessage) -> [UInt8] {
        let type: String
        var fields: [(String, JSONValue)] = []
        switch message.body {
        case .ask(let ask): (type, fields) = ("ask", self.fields(of: ask))
        case .cancel(.ask(let id)): (type, fields) = ("cancel", [("ask", .string(id.rawValue))])
        case .cancel(.turn(let turn)): (type, fields) = ("cancel", [("turn", .string("\(turn)"))])
        case .authRefresh(let token): (type, fields) = ("auth.refresh", [("token", .string(token))])
        case .feedback(let feedback):
            type = "feedback"
            fields = [
                ("turn", .string("\(feedback.turn)")), ("value", .number(Double(feedback.value))),
                ("text", text(feedback.text)),
            ]
        case .forget(let all): (type, fields) = ("forget", [("all", .bool(all))])
        case .hello(let hello): (type, fields) = ("hello", self.fields(of: hello))
        case .highlightMissed(let missed):
            type = "highlight.missed"
            fields = [
                ("turn", .string("\(missed.turn)")), ("element", .string(missed.element.rawValue)),
                ("why", .string(missed.why)),
            ]
        case .ping(let ping): (type, fields) = ("ping", [("t", ping.t.map(JSONValue.number) ?? .null)])
        case .screenDelta(let delta): (type, fields) = ("screen.delta", self.fields(of: delta))
        case .screenSnapshot(let snapshot): (type, fields) = ("screen.snapshot", self.fields(of: snapshot))
        case .stepResult(let result):
            type = "step.result"
            fields = [
                ("turn", .string("\(result.turn)")), ("step", .number(Double(result.step))), ("ok", .bool(result.ok)),
            ]
        case .unsupported(let name): type = name
        }
        if let id = message.id { fields.append(("id", .string(id.rawValue))) }
        fields.insert(("type", .string(type)), at: typeFirst ? 0 : fields.count)
        return written(fields)
    }

    /// An object with its keys in this order; a tree would sort them.
    private func written(_ fields: [(String, JSONValue)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (key, value) in fields {
            JSONWriter.append(literal: bytes.isEmpty ? "{" : ",", to: &bytes)
            JSONWriter.append(key, to: &bytes)
            JSONWriter.append(literal: ":", to: &bytes)
            value.append(to: &bytes)
        }
        return bytes + [UInt8(ascii: "}")]
    }

    private func fields(of ask: Ask) -> [(String, JSONValue)] {
        [
            ("text", .string(ask.text)), ("revision", whole(ask.revision)), ("focus", value(ask.focus)),
            ("language", text(ask.language)), ("hint_level", .number(Double(ask.hintLevel))),
            ("of", text(ask.of?.description)), ("when_busy", .string(ask.whenBusy.rawValue)),
        ]
    }

    private func fields(of hello: Hello) -> [(String, JSONValue)] {
        var resume = JSONValue.null
        if let old = hello.resume {
            resume = .object([
                "session": .string(old.session), "key": .string(old.key), "epoch": .string(old.epoch),
                "seq": whole(old.seq),
            ])
        }
        return [
            ("role", .string(hello.role.rawValue)), ("locale", text(hello.locale)), ("room", text(hello.room)),
            ("client", .object(["name": text(hello.clientName), "version": text(hello.clientVersion)])),
            (
                "coordinates",
                .object([
                    "origin": .string(hello.coordinates.origin.rawValue),
                    "unit": .string(hello.coordinates.unit.rawValue),
                ])
            ),
            ("resume", resume), ("name", text(hello.name)), ("follow", .bool(hello.follow)),
        ]
    }

    private func fields(of snapshot: ScreenSnapshot) -> [(String, JSONValue)] {
        [
            ("revision", whole(snapshot.revision)),
            ("size", snapshot.size.map { numbers([$0.width, $0.height]) } ?? .null),
            ("title", text(snapshot.title)), ("url", text(snapshot.url)),
            ("elements", .array(snapshot.elements.map(value))), ("focus", value(snapshot.focus)),
            ("ids", snapshot.wantsFreshIDs ? .string("fresh") : .null), ("detect", .bool(snapshot.wantsDetections)),
        ]
    }

    private func fields(of delta: ScreenDelta) -> [(String, JSONValue)] {
        [
            ("base", whole(delta.base)), ("revision", whole(delta.revision)), ("focus", value(delta.focus)),
            ("remove", .array(delta.remove.map { .string($0.rawValue) })), ("add", .array(delta.add.map(value))),
            ("update", .array(delta.update.map(value))), ("move", .array(delta.move.map(value))),
        ]
    }

    // MARK: Values

    private func value(_ element: Element) -> JSONValue {
        .object([
            "id": .string(element.id.rawValue), "type": .string(element.kind.rawValue),
            "content": .string(element.content), "box": value(element.box), "placeholder": text(element.placeholder),
            "value": text(element.value), "label": text(element.label), "state": value(element.states),
            "region": text(element.region), "line": whole(element.line.map(Int64.init)),
            "parent": text(element.parent?.rawValue),
        ])
    }

    /// A key that an update keeps is not written: `null` would remove it.
    private func value(_ update: ElementUpdate) -> JSONValue {
        var members: [String: JSONValue] = ["id": .string(update.id.rawValue)]
        members["type"] = update.kind.map { .string($0.rawValue) }
        members["content"] = update.content.map(JSONValue.string)
        members["box"] = update.box.map(value)
        members["state"] = update.states.map(value)
        members["placeholder"] = value(update.placeholder, JSONValue.string)
        members["value"] = value(update.value, JSONValue.string)
        members["label"] = value(update.label, JSONValue.string)
        members["region"] = value(update.region, JSONValue.string)
        members["line"] = value(update.line) { .number(Double($0)) }
        members["parent"] = value(update.parent) { .string($0.rawValue) }
        return .object(members)
    }

    private func value<Value>(_ change: ElementUpdate.Change<Value>, _ spell: (Value) -> JSONValue) -> JSONValue? {
        switch change {
        case .keep: nil
        case .remove: .null
        case .set(let value): spell(value)
        }
    }

    private func value(_ move: ElementMove) -> JSONValue {
        let ids: JSONValue =
            switch move.target {
            case .all: .string("all")
            case .ids(let ids): .array(ids.map { .string($0.rawValue) })
            case .region(let region): .object(["region": .string(region)])
            }
        return .object(["by": numbers([move.by.x, move.by.y]), "ids": ids])
    }

    private func value(_ focus: Focus?) -> JSONValue {
        switch focus {
        case .box(let box): .object(["box": value(box)])
        case .element(let id): .object(["element": .string(id.rawValue)])
        case .point(let point): .object(["point": numbers([point.x, point.y])])
        case nil: .null
        }
    }

    private func value(_ box: Box) -> JSONValue { numbers([box.x, box.y, box.width, box.height]) }

    private func value(_ states: ElementStates) -> JSONValue {
        .array(ElementStates.names.filter { states.contains($0.state) }.map { .string($0.name) })
    }

    private func numbers(_ numbers: [Double]) -> JSONValue { .array(numbers.map(JSONValue.number)) }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private func whole(_ number: Int64?) -> JSONValue { number.map { .number(Double($0)) } ?? .null }
}
