// ScreenChange: what a snapshot or a delta did to the screen.
// Spec: docs/protocol.md §4, §5 rule 9

public import TutorProtocol

/// What an accepted snapshot or delta did.
///
/// No list names an element twice.
public struct ScreenChange: Sendable, Hashable {
    /// Whether a new screen began: nothing on it is the same as before.
    public var isNewScreen = false
    /// Whether it was a delta that the server already had; then nothing else is set.
    public var isRepeat = false
    /// Elements that came.
    public var added: [ElementSerial] = []
    /// Elements that went; one whose kind changed is here, and its successor in ``added``.
    public var removed: [ElementSerial] = []
    /// Elements whose content or value is other than before.
    public var contentChanged: [ElementSerial] = []
    /// Elements with the same content whose label, placeholder or states are other than before.
    public var altered: [ElementSerial] = []
    /// Elements whose box is other than before.
    public var moved: [ElementSerial] = []
    /// The ids that the server gave, in the order sent, for a snapshot with `"ids":"fresh"`.
    public var ids: [ElementID]?

    /// Makes a change that changed nothing.
    public init() {}

    /// Notes how an element that stays differs from before.
    mutating func note(_ serial: ElementSerial, from old: Element, to new: Element) {
        if !ScreenElement.sameContent(old, new) {
            contentChanged.append(serial)
        } else if !ScreenElement.sameLook(old, new) {
            altered.append(serial)
        }
        if old.box != new.box { moved.append(serial) }
    }
}
