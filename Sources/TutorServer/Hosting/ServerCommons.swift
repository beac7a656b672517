// ServerCommons: what all shards of a server share.

internal import TutorCore

/// What all shards of a server share.
///
/// Any thread.
struct ServerCommons: Sendable {
    /// Which shard has which session.
    let directory: SessionDirectory
    /// Where sessions are kept; nil: in memory only.
    let store: (any SessionStore)?
    /// Makes and checks the keys to resume with.
    let keys: ResumeKeys
    /// Decides who clients are.
    let auth: CurrentAuthenticator
    /// Gives out what is kept of a subject; nil: nothing is.
    let records: RecordExports.Source?
}
