// MessageDecoder+Screen: reads `screen.snapshot` and `screen.delta`.
// Spec: docs/protocol.md §4

extension MessageDecoder {
    func screenSnapshot(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> ScreenSnapshot {
        var snapshot = ScreenSnapshot(revision: 0, elements: [])
        var hasRevision = false
        var list: ElementList?
        while let name = try reader.nextName() {
            switch name {
            case "detect": if try !reader.null() { snapshot.wantsDetections = try reader.boolean() }
            case "elements": list = try elements(&reader, limit: limits.elements, mayLackID: true)
            case "focus": if try !reader.null() { snapshot.focus = try reader.focus() }
            case "ids":
                if try !reader.null() { snapshot.wantsFreshIDs = try reader.name(of: IDSource.self) == .fresh }
            case "revision":
                snapshot.revision = try reader.revision()
                hasRevision = true
            case "size": if try !reader.null() { snapshot.size = try reader.size() }
            case "title": snapshot.title = try reader.optionalString(limit: limits.contentBytes)
            case "url": snapshot.url = try reader.optionalString(limit: limits.urlBytes)
            default: try envelope.read(name, &reader)
            }
        }
        guard hasRevision else { throw JSONError(missing: .revision, at: envelope.start) }
        guard let list else { throw JSONError(missing: .elements, at: envelope.start) }
        if let fault = list.idFault, !snapshot.wantsFreshIDs { throw fault }
        snapshot.elements = list.elements
        if snapshot.wantsFreshIDs {
            for index in snapshot.elements.indices { snapshot.elements[index].id = ElementID(position: index) }
        }
        return snapshot
    }

    func screenDelta(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> ScreenDelta {
        var delta = ScreenDelta(base: 0, revision: 0)
        var hasBase = false
        var revisionStart: Int?
        var operations = 0
        while let name = try reader.nextName() {
            switch name {
            case "add":
                if try reader.null() { continue }
                delta.add = try elements(&reader, limit: limits.deltaOperations - operations, mayLackID: false).elements
                operations += delta.add.count
            case "base":
                delta.base = try reader.revision()
                hasBase = true
            case "focus": if try !reader.null() { delta.focus = try reader.focus() }
            case "move":
                if try reader.null() { continue }
                try reader.openArray()
                while try reader.nextElement() {
                    try count(&operations, reader)
                    delta.move.append(try move(&reader))
                }
            case "remove":
                if try reader.null() { continue }
                try reader.openArray()
                while try reader.nextElement() {
                    try count(&operations, reader)
                    delta.remove.append(try reader.elementID())
                }
            case "revision":
                revisionStart = try reader.valueStart()
                delta.revision = try reader.revision()
            case "update":
                if try reader.null() { continue }
                try reader.openArray()
                var scratch = Element.unread
                // Most updates take about this many bytes; the list then need not grow.
                delta.update.reserveCapacity(
                    min(limits.deltaOperations - operations, (reader.end - reader.position) / 128 + 1))
                while try reader.nextElement() {
                    try count(&operations, reader)
                    delta.update.append(try update(&reader, &scratch))
                }
            default: try envelope.read(name, &reader)
            }
        }
        guard hasBase else { throw JSONError(missing: .base, at: envelope.start) }
        guard let revisionStart else { throw JSONError(missing: .revision, at: envelope.start) }
        guard delta.revision > delta.base else { throw JSONError(.notAboveBase, at: revisionStart) }
        return delta
    }

    private func count(_ operations: inout Int, _ reader: borrowing JSONReader) throws(JSONError) {
        guard operations < limits.deltaOperations else { throw JSONError(.tooMany, at: reader.position) }
        operations += 1
    }

    private func move(_ reader: inout JSONReader) throws(JSONError) -> ElementMove {
        let start = try reader.valueStart()
        var by: Point?
        var target: ElementMove.Target?
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "by": by = try reader.point()
            case "ids": target = try moveTarget(&reader)
            default: try reader.skip()
            }
        }
        guard let by else { throw JSONError(missing: .by, at: start) }
        guard let target else { throw JSONError(missing: .ids, at: start) }
        return ElementMove(by: by, target: target)
    }

    private func moveTarget(_ reader: inout JSONReader) throws(JSONError) -> ElementMove.Target {
        let start = try reader.valueStart()
        switch try reader.peek() {
        case .array:
            var ids: [ElementID] = []
            try reader.openArray()
            while try reader.nextElement() {
                guard ids.count < limits.elements else { throw JSONError(.tooMany, at: reader.position) }
                ids.append(try reader.elementID())
            }
            return .ids(ids)
        case .object:
            var region: String?
            try reader.openObject()
            while let name = try reader.nextName() {
                if case "region" = name {
                    region = try reader.string(limit: limits.contentBytes)
                } else {
                    try reader.skip()
                }
            }
            guard let region else { throw JSONError(missing: .region, at: start) }
            return .region(region)
        default:
            _ = try reader.name(of: MoveAll.self)
            return .all
        }
    }
}

/// Values of a snapshot's `ids`.
private enum IDSource: String {
    case fresh
}

/// Text values of a move's `ids`.
private enum MoveAll: String {
    case all
}
