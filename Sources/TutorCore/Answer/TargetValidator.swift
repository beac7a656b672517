// TargetValidator: decides whether a student may be shown what a model pointed at.
// Spec: docs/protocol.md §5 rule 8

public import ScreenCore
public import TutorProtocol

/// What is not shown is a failure of a reference, never of a turn.
extension TurnEnd.Dropped: Error {}

/// Decides whether a student may be shown what a model pointed at, and where it is now.
///
/// A target is an element that the model was shown, on the turn's pinned screen, that is still the same and visible on
/// the newest screen. Where the client removed it and drew it again under another identity, the one new element with
/// the same kind and label is taken, or the new one with the same label at the same place.
public struct TargetValidator: Sendable {
    /// Makes a validator.
    public init() {}

    /// The element to show, with its newest box, or why there is none.
    ///
    /// - Parameters:
    ///   - alias: What the model wrote.
    ///   - sent: The aliases that this turn's model was shown.
    ///   - pinned: The screen that the turn is about.
    ///   - current: The newest screen.
    /// - Returns: The element of `current`, or the entry for `turn.end.dropped`.
    public func resolve(
        _ alias: Int, sent: [Int: ElementSerial], pinned: ScreenState, current: ScreenState
    ) -> Result<ScreenElement, TurnEnd.Dropped> {
        guard let serial = sent[alias], let known = pinned.element(serial: serial) else {
            return .failure(TurnEnd.Dropped(element: String(alias), why: .unknown))
        }
        let name = known.element.id.rawValue
        guard let now = current.element(serial: serial) ?? successor(of: known, pinned: pinned, current: current) else {
            return .failure(TurnEnd.Dropped(element: name, why: .stale))
        }
        if let why = flaw(of: now, since: known) { return .failure(TurnEnd.Dropped(element: name, why: why)) }
        return .success(now)
    }

    /// Why an element that is there must not be shown.
    private func flaw(of now: ScreenElement, since known: ScreenElement) -> TurnEnd.Dropped.Why? {
        if now.element.states.contains(.secure) || now.element.kind != known.element.kind { return .stale }
        if now.element.states.contains(.hidden) || now.element.box.isEmpty { return .blank }
        // What a student types into an input is work on the same element; other content that changed is something
        // the model has not seen.
        if !now.element.kind.isInput, now.element.content != known.element.content { return .stale }
        return nil
    }

    /// The element that took the place of one that is gone.
    private func successor(of gone: ScreenElement, pinned: ScreenState, current: ScreenState) -> ScreenElement? {
        // On another page a button with the same label is another button.
        guard pinned.url == current.url else { return nil }
        let label = gone.element.targetLabel
        let alike = current.elements.filter { candidate in
            candidate.element.kind == gone.element.kind && candidate.element.targetLabel == label
                && candidate.element.states.isDisjoint(with: [.secure, .hidden]) && !candidate.element.box.isEmpty
                // What stood beside it on the pinned screen was never what the model meant.
                && pinned.element(serial: candidate.serial) == nil
        }
        if alike.count == 1, !label.isEmpty { return alike.first }
        let overlapping = alike.filter { gone.element.box.overlap(with: $0.element.box) >= Self.minimumOverlap }
        return overlapping.count == 1 ? overlapping.first : nil
    }

    /// Least overlap, as intersection over union, at which an unlabelled or ambiguous element counts as the same.
    ///
    /// Default one half: of neighbours of one size that do not overlap each other, only one can reach it.
    private static let minimumOverlap = 0.5
}

extension Element {
    /// What an element is called by: the accessible name or hint of an input, the content of anything else.
    var targetLabel: String {
        let candidates = kind.isInput ? [label, placeholder, content] : [content, label]
        return candidates.compactMap { $0?.trimmedSpaces }.first { !$0.isEmpty } ?? ""
    }
}

extension Box {
    /// Intersection over union; 0 for boxes without an area.
    func overlap(with other: Box) -> Double {
        let shared =
            max(0, min(x + width, other.x + other.width) - max(x, other.x))
            * max(0, min(y + height, other.y + other.height) - max(y, other.y))
        let joined = width * height + other.width * other.height - shared
        return joined > 0 && joined.isFinite ? shared / joined : 0
    }
}
