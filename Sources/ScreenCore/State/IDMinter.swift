// IDMinter: gives ids to the elements of a client that has none of its own.
// Spec: docs/protocol.md §4 (`"ids":"fresh"`)

import TutorProtocol

/// Gives ids to the elements of a client that only has recognised lists: the old id to an element that is the same as
/// before, and `n1`, `n2` … in reading order to the others.
///
/// A number is never given twice in a session.
struct IDMinter {
    /// The number in the next new id.
    private(set) var next: Int

    init(next: Int) { self.next = next }

    /// Ids for the elements, in the order sent.
    mutating func ids(for incoming: [Element], like earlier: [ScreenElement]) -> [ElementID] {
        let matches = ElementMatcher.match(incoming, to: earlier.map(\.element))
        var ids = matches.map { $0.map { earlier[$0].id } }
        // An id that the client once gave itself may look like one of ours.
        let taken = Set(ids.compactMap(\.self))
        for position in ReadingOrder.positions(of: incoming.map(\.box)) where ids[position] == nil {
            ids[position] = mint(avoiding: taken)
        }
        return ids.compactMap(\.self)
    }

    private mutating func mint(avoiding taken: Set<ElementID>) -> ElementID {
        while true {
            defer { next += 1 }
            if let id = ElementID("n\(next)"), !taken.contains(id) { return id }
        }
    }
}
