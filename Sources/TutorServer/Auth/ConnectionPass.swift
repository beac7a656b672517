// ConnectionPass: who a connection is, from its upgrade to its end.
// Spec: docs/auth.md (while connected)

internal import NetIO
internal import TutorProtocol

/// Who a connection is: nobody until `hello`, then what its token says, until that ends.
///
/// Confined to its shard.
final class ConnectionPass {
    /// What its connection is told.
    enum Notice {
        /// The token ends soon.
        case warn(Bye)
        /// The token has ended: the connection closes, and nothing that comes on it counts any more.
        case end(AuthFault)
    }

    /// Where the client is.
    let client: ClientAddress
    /// Who it is; a student without a name before `hello`.
    private(set) var identity = Identity.open
    /// Whether `hello` was let in.
    private(set) var isKnown = false
    /// Whether the client was refused, or its token has ended.
    private(set) var isOver = false

    private let auth: CurrentAuthenticator
    /// Given up once it was looked at: it is a secret.
    private var bearer: Bearer
    private var expiry: TokenExpiry?
    private var timer: Shard.TimerID?
    /// Nil until it is watched.
    private var tell: ((Notice) -> Void)?

    init(_ visitor: WebGate.Visitor, auth: CurrentAuthenticator) {
        client = visitor.client
        bearer = visitor.bearer
        self.auth = auth
    }

    /// Lets a hello in.
    ///
    /// - Throws: ``AuthFault``; the connection is over then.
    func identify(_ hello: Hello) throws(AuthFault) {
        let authenticator = auth.value
        defer { bearer = .none }
        do throws(AuthFault) {
            identity = try authenticator.identify(bearer, hello: hello, now: WallClock.milliseconds())
        } catch {
            isOver = true
            throw error
        }
        isKnown = true
    }

    /// Watches the token from now on; call it behind the `welcome`, which comes first.
    func watch(on shard: isolated Shard, tell: @escaping (Notice) -> Void) {
        self.tell = tell
        if let timer { shard.cancel(timer) }
        timer = nil
        expiry = identity.expiresAt.map { TokenExpiry(expiresAt: $0, leeway: auth.value.rules.leeway) }
        look(on: shard)
    }

    /// Takes a new token of the same subject; nil where the server runs without tokens.
    ///
    /// - Throws: ``AuthFault``; the old token goes on then.
    func refresh(_ token: String, on shard: isolated Shard) throws(AuthFault) -> Identity? {
        let authenticator = auth.value
        guard !authenticator.isOpen else { return nil }
        let new = try authenticator.refresh(token, of: identity, now: WallClock.milliseconds())
        identity = new
        if let tell { watch(on: shard, tell: tell) }
        return new
    }

    /// Watches no longer: the connection has ended.
    func stop(on shard: isolated Shard) {
        if let timer { shard.cancel(timer) }
        timer = nil
        tell = nil
        isOver = true
    }

    private func look(on shard: isolated Shard) {
        switch expiry?.step(now: WallClock.milliseconds()) {
        case nil: return
        case .end:
            isOver = true
            tell?(.end(.expired))
        case .wait(let milliseconds):
            timer = shard.schedule(after: .milliseconds(milliseconds)) { [weak self] in self?.look(on: shard) }
        case .warn(let milliseconds):
            tell?(.warn(Bye(reason: .expiry, inMilliseconds: Int(milliseconds), resumable: true)))
            look(on: shard)
        }
    }
}
