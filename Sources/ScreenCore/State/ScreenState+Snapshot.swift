// ScreenState, snapshots: takes a whole screen.
// Spec: docs/protocol.md §4 (`screen.snapshot`, Identity)

public import TutorProtocol

extension ScreenState {
    /// Takes a whole screen, or refuses it and changes nothing.
    ///
    /// A higher revision of the same page keeps the serials of elements with the same id and kind; another address, or
    /// a revision that is not higher, begins a new screen. A snapshot that names no address stays on the page.
    public mutating func apply(
        _ snapshot: ScreenSnapshot, coordinates: Coordinates, limits: Limits
    ) throws(ScreenError) -> ScreenChange {
        guard snapshot.revision >= 0, snapshot.revision <= ScreenDoor.maximumRevision else {
            throw .invalid(path: "revision", reason: "not from 0 to 2^53 - 1")
        }
        guard snapshot.elements.count <= limits.elements else {
            throw .invalid(path: "elements", reason: "more than \(limits.elements) elements")
        }
        let door = try ScreenDoor(coordinates: coordinates, size: snapshot.size, limits: limits)
        try door.check(snapshot.title, path: "title")
        try door.check(snapshot.url, limit: limits.urlBytes, path: "url")

        var incoming: [Element] = []
        incoming.reserveCapacity(snapshot.elements.count)
        for (number, element) in snapshot.elements.enumerated() {
            incoming.append(try door.admit(element, path: "elements[\(number)]"))
        }

        let isSamePage = snapshot.url == nil || snapshot.url == url
        let isNewScreen = !(hasScreen && isSamePage && snapshot.revision > revision)
        var focus = snapshot.focus
        var mintedIDs = nextMintedID
        if snapshot.wantsFreshIDs {
            var minter = IDMinter(next: nextMintedID)
            let given = minter.ids(for: incoming, like: isNewScreen ? [] : elements)
            focus = Self.rename(&incoming, to: given, focus: focus)
            mintedIDs = minter.next
        } else {
            var seen: Set<ElementID> = []
            for (number, element) in incoming.enumerated() where !seen.insert(element.id).inserted {
                throw .invalid(path: "elements[\(number)].id", reason: "is used twice")
            }
        }
        let ids = Set(incoming.map(\.id))
        let admittedFocus: Focus? = if let focus { try door.admit(focus, exists: ids.contains) } else { nil }

        // Nothing throws from here on.
        nextMintedID = mintedIDs
        revision = snapshot.revision
        hasScreen = true
        size = snapshot.size
        title = snapshot.title
        url = snapshot.url ?? url
        self.focus = admittedFocus
        var change = replaceElements(by: incoming, isNewScreen: isNewScreen)
        if snapshot.wantsFreshIDs { change.ids = elements.map(\.id) }
        return change
    }

    private mutating func replaceElements(by incoming: [Element], isNewScreen: Bool) -> ScreenChange {
        var change = ScreenChange()
        change.isNewScreen = isNewScreen
        var kept: Set<ElementSerial> = []
        var next: [ScreenElement] = []
        next.reserveCapacity(incoming.count)
        for element in incoming {
            if !isNewScreen, let old = self.element(element.id), old.element.kind == element.kind {
                kept.insert(old.serial)
                change.note(old.serial, from: old.element, to: element)
                next.append(old.updated(to: element, at: revision))
            } else {
                let serial = mintSerial()
                change.added.append(serial)
                next.append(ScreenElement(serial: serial, element: element, contentRevision: revision))
            }
        }
        change.removed = elements.lazy.map(\.serial).filter { !kept.contains($0) }
        elements = next
        positionsByID.removeAll(keepingCapacity: true)
        positionsBySerial.removeAll(keepingCapacity: true)
        index(from: 0)
        return change
    }

    /// Puts the server's ids in place of those of the message, in parents and focus too.
    private static func rename(_ elements: inout [Element], to given: [ElementID], focus: Focus?) -> Focus? {
        let names = Dictionary(zip(elements.map(\.id), given), uniquingKeysWith: { first, _ in first })
        for number in elements.indices {
            elements[number].id = given[number]
            elements[number].parent = elements[number].parent.flatMap { names[$0] }
        }
        guard case .element(let id) = focus else { return focus }
        return names[id].map(Focus.element)
    }
}

extension ScreenElement {
    /// The same element with a newer description.
    func updated(to newer: Element, at revision: Int64) -> ScreenElement {
        ScreenElement(
            serial: serial, element: newer,
            contentRevision: Self.sameContent(element, newer) ? contentRevision : revision,
            alterationRevision: Self.sameLook(element, newer) ? alterationRevision : revision)
    }
}
