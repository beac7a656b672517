// ScreenDelta: what changed on a screen, as a client sends it.
// Spec: docs/protocol.md §4 (`screen.delta`)

/// What changed since `base`.
///
/// Applied whole or not at all, in the order remove, add, update, move.
public struct ScreenDelta: Sendable, Hashable {
    /// The revision it builds on.
    public var base: Int64
    /// The revision it makes; above `base`.
    public var revision: Int64
    /// Elements that are gone.
    public var remove: [ElementID]
    /// Elements that are new.
    public var add: [Element]
    /// Elements that changed.
    public var update: [ElementUpdate]
    /// Elements that moved together.
    public var move: [ElementMove]
    /// The new focus; nil leaves the old one.
    public var focus: Focus?

    /// Makes a delta.
    public init(
        base: Int64, revision: Int64, remove: [ElementID] = [], add: [Element] = [], update: [ElementUpdate] = [],
        move: [ElementMove] = [], focus: Focus? = nil
    ) {
        self.base = base
        self.revision = revision
        self.remove = remove
        self.add = add
        self.update = update
        self.move = move
        self.focus = focus
    }
}

/// New values for some keys of one element.
public struct ElementUpdate: Sendable, Hashable {
    /// What happens to a key that an element may lack.
    public enum Change<Value: Sendable & Hashable>: Sendable, Hashable {
        /// The key was not in the update.
        case keep
        /// The key was `null`.
        case remove
        /// The key has a new value.
        case set(Value)
    }

    /// The element.
    public var id: ElementID
    /// Another kind makes it another element.
    public var kind: ElementKind?
    /// New text; `null` on the wire is read as empty.
    public var content: String?
    /// New box.
    public var box: Box?
    /// New hint.
    public var placeholder: Change<String>
    /// New value.
    public var value: Change<String>
    /// New accessible name.
    public var label: Change<String>
    /// New set of states; `null` on the wire is read as none.
    public var states: ElementStates?
    /// New group.
    public var region: Change<String>
    /// New line number.
    public var line: Change<Int>
    /// New container.
    public var parent: Change<ElementID>

    /// Makes an update that changes nothing but what is given.
    public init(
        id: ElementID, kind: ElementKind? = nil, content: String? = nil, box: Box? = nil,
        placeholder: Change<String> = .keep, value: Change<String> = .keep, label: Change<String> = .keep,
        states: ElementStates? = nil, region: Change<String> = .keep, line: Change<Int> = .keep,
        parent: Change<ElementID> = .keep
    ) {
        self.id = id
        self.kind = kind
        self.content = content
        self.box = box
        self.placeholder = placeholder
        self.value = value
        self.label = label
        self.states = states
        self.region = region
        self.line = line
        self.parent = parent
    }
}

/// A shift of several elements by one vector, such as a scroll.
public struct ElementMove: Sendable, Hashable {
    /// Which elements move.
    public enum Target: Sendable, Hashable {
        case all
        case ids([ElementID])
        case region(String)
    }

    /// The vector, in the client's convention.
    public var by: Point
    /// Which elements move.
    public var target: Target

    /// Makes a move.
    public init(by: Point, target: Target) {
        self.by = by
        self.target = target
    }
}
