// PromptFence: the marks around the screen in a prompt.
// Spec: docs/architecture.md (what the model sees)

/// The marks around the screen in a prompt.
///
/// The code in them is new for every prompt, so no text on a screen can hold
/// the closing mark.
enum PromptFence {
    /// What both marks have in common.
    static let word = "screen"

    static func opening(_ nonce: String) -> String { "<<<\(word) \(nonce)" }

    static func closing(_ nonce: String) -> String { "\(word) \(nonce)>>>" }
}
