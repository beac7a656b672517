// ElementFileDecoder: reads screens from files and command-line batches, in their own vocabularies.
// Spec: docs/protocol.md §4 (element); README (commands)

/// Reads screens from files and command-line batches.
///
/// More lenient than the wire: the text may be called `text` or `content` or be missing, types of other vocabularies
/// are understood (``ElementKind/init(foreign:)``), a `value` may be a boolean or a number, and `focused` may stand for
/// itself. Ids and boxes are checked as on the wire.
public struct ElementFileDecoder: Sendable {
    /// Most elements of one file.
    public static let maximumElements = 20_000

    /// The bounds within which a file is read: 16 MiB, 1 048 576 values.
    public static let jsonLimits = JSONLimits(bytes: 16_777_216, depth: 32, keys: 1_024, values: 1_048_576)

    /// Makes a decoder.
    public init() {}

    /// Reads a file's bytes: the object described at ``ElementFile``, or only its list of elements.
    public func decode(_ bytes: [UInt8]) throws(MessageError) -> ElementFile {
        let value: JSONValue
        do {
            value = try JSONValue.parse(bytes, limits: Self.jsonLimits)
        } catch {
            throw MessageError(code: .badFrame, message: "not a screen: \(error)")
        }
        return try decode(value)
    }

    /// Reads a value that was parsed before, such as the `screen` of a batch line.
    public func decode(_ value: JSONValue) throws(MessageError) -> ElementFile {
        guard let list = value.array ?? value["elements"]?.array else { throw fault(.expectedArray, "elements") }
        guard list.count <= Self.maximumElements else { throw fault(.tooMany, "elements[\(Self.maximumElements)]") }
        var file = ElementFile(name: value["screen"]?.string, elements: [], sourceTypes: [])
        if let size = value["size"], !size.isNull {
            guard let numbers = size.numbers(2), let size = ScreenSize(width: numbers[0], height: numbers[1]) else {
                throw fault(.expectedSize, "size")
            }
            file.size = size
        }
        if let focus = value["focus"], !focus.isNull { file.focus = try decodeFocus(focus) }
        var index = IDIndex()
        for (position, value) in list.enumerated() {
            let path = "elements[\(position)]"
            let element = try decodeElement(value, path: path)
            file.elements.append(element)
            guard index.insert(at: position, hash: IDIndex.hash(element.id), in: file.elements) else {
                throw fault(.duplicateID, path + ".id")
            }
            file.sourceTypes.append(value["type"]?.string ?? "")
        }
        return file
    }

    private func decodeElement(_ value: JSONValue, path: String) throws(MessageError) -> Element {
        guard value.object != nil else { throw fault(.expectedObject, path) }
        guard let id = value["id"]?.string.flatMap({ ElementID($0) }) else { throw fault(.invalidID, path + ".id") }
        guard let type = value["type"]?.string else { throw fault(.expectedString, path + ".type") }
        guard let box = value["box"]?.box else { throw fault(.expectedBox, path + ".box") }
        var states: ElementStates = []
        for name in value["state"]?.array ?? [] {
            for known in ElementStates.names where name.string == known.name { states.formUnion(known.state) }
        }
        if value["focused"]?.bool == true { states.formUnion(.focused) }
        if value["value"]?.bool == true || value["checked"]?.bool == true { states.formUnion(.checked) }
        return Element(
            id: id, kind: ElementKind(foreign: type),
            content: value["content"]?.string ?? value["text"]?.string ?? "", box: box,
            placeholder: value["placeholder"]?.string, value: value["value"]?.scalarText,
            label: value["label"]?.string, states: states, region: value["region"]?.string, line: value["line"]?.int,
            parent: value["parent"]?.string.flatMap { ElementID($0) })
    }

    /// Reads a focus: an object as on the wire, an element's id, or a point as `[x, y]`.
    public func decodeFocus(_ value: JSONValue) throws(MessageError) -> Focus {
        if let id = value.string.flatMap({ ElementID($0) }) { return .element(id) }
        if let numbers = value.numbers(2), let point = Point(x: numbers[0], y: numbers[1]) { return .point(point) }
        if let box = value["box"]?.box { return .box(box) }
        if let id = value["element"]?.string.flatMap({ ElementID($0) }) { return .element(id) }
        if let numbers = value["point"]?.numbers(2), let point = Point(x: numbers[0], y: numbers[1]) {
            return .point(point)
        }
        throw fault(.invalidFocus, "focus")
    }

    private func fault(_ reason: JSONError.Reason, _ path: String) -> MessageError {
        MessageError(code: .badMessage, message: reason.text, path: path)
    }
}

extension JSONValue {
    /// Exactly so many numbers.
    fileprivate func numbers(_ count: Int) -> [Double]? {
        guard let values = array, values.count == count else { return nil }
        let numbers = values.compactMap(\.double)
        return numbers.count == count ? numbers : nil
    }

    fileprivate var box: Box? {
        numbers(4).flatMap { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    }

    /// A text, or a number as a text.
    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): return text
        case .number:
            var bytes: [UInt8] = []
            append(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .array, .bool, .null, .object: return nil
        }
    }
}
