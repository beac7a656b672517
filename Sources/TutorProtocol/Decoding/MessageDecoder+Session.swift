// MessageDecoder+Session: reads `hello` and `ping`.
// Spec: docs/protocol.md §3

extension MessageDecoder {
    func hello(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Hello {
        var hello = Hello(role: .student)
        var hasRole = false
        while let name = try reader.nextName() {
            switch name {
            case "client": if try !reader.null() { try client(&reader, of: &hello) }
            case "coordinates": if try !reader.null() { hello.coordinates = try coordinates(&reader) }
            case "follow": if try !reader.null() { hello.follow = try reader.boolean() }
            case "locale": if try !reader.null() { hello.locale = try reader.languageTag() }
            case "name": hello.name = try reader.optionalString(limit: Self.shortTextBytes)
            case "resume": if try !reader.null() { hello.resume = try resume(&reader) }
            case "role":
                hello.role = try reader.name(of: Role.self)
                hasRole = true
            case "room": hello.room = try reader.optionalString(limit: Self.shortTextBytes)
            default: try envelope.read(name, &reader)
            }
        }
        guard hasRole else { throw JSONError(missing: .role, at: envelope.start) }
        return hello
    }

    func ping(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Ping {
        var ping = Ping(t: nil)
        while let name = try reader.nextName() {
            if case "t" = name {
                if try !reader.null() { ping.t = try reader.number() }
            } else {
                try envelope.read(name, &reader)
            }
        }
        return ping
    }

    private func client(_ reader: inout JSONReader, of hello: inout Hello) throws(JSONError) {
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "name": hello.clientName = try reader.optionalString(limit: Self.shortTextBytes)
            case "version": hello.clientVersion = try reader.optionalString(limit: Self.shortTextBytes)
            default: try reader.skip()
            }
        }
    }

    private func coordinates(_ reader: inout JSONReader) throws(JSONError) -> Coordinates {
        var coordinates = Coordinates()
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "origin":
                if try !reader.null() { coordinates.origin = try reader.name(of: Coordinates.Origin.self) }
            case "unit":
                if try !reader.null() { coordinates.unit = try reader.name(of: Coordinates.Unit.self) }
            default: try reader.skip()
            }
        }
        return coordinates
    }

    private func resume(_ reader: inout JSONReader) throws(JSONError) -> Hello.Resume {
        let start = try reader.valueStart()
        var session: String?
        var key: String?
        var epoch: String?
        var seq: Int64?
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "epoch": epoch = try reader.string(limit: Self.shortTextBytes)
            case "key": key = try reader.string(limit: Self.shortTextBytes)
            case "seq": seq = try reader.revision()
            case "session": session = try reader.string(limit: Self.shortTextBytes)
            default: try reader.skip()
            }
        }
        guard let session else { throw JSONError(missing: .session, at: start) }
        guard let key else { throw JSONError(missing: .key, at: start) }
        guard let epoch else { throw JSONError(missing: .epoch, at: start) }
        guard let seq else { throw JSONError(missing: .seq, at: start) }
        return Hello.Resume(session: session, key: key, epoch: epoch, seq: seq)
    }
}
