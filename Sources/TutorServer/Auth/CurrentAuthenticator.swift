// CurrentAuthenticator: the authenticator in force, for all shards.
// Spec: docs/auth.md (rotating)

internal import Synchronization

/// The authenticator in force; a reload of the keys puts another in its place.
///
/// Any thread. Who is connected stays so until the end of the token.
final class CurrentAuthenticator: Sendable {
    private let current: Mutex<Authenticator>

    init(_ first: Authenticator) {
        current = Mutex(first)
    }

    /// The one in force.
    var value: Authenticator { current.withLock { $0 } }

    /// Puts another in its place.
    func replace(with next: Authenticator) { current.withLock { $0 = next } }
}
