// Hello: the first message of a connection.
// Spec: docs/protocol.md §3

/// `hello`: the first message of a connection.
public struct Hello: Sendable, Hashable {
    /// Where a client wants to go on.
    ///
    /// Stored together, since an epoch without its seq is meaningless.
    public struct Resume: Sendable, Hashable {
        /// The session.
        public var session: String
        /// The key from the last `welcome`.
        public var key: String
        /// The epoch from the last `welcome`.
        public var epoch: String
        /// The last `seq` that the client has; 0 for none.
        public var seq: Int64

        /// Makes a request to resume.
        public init(session: String, key: String, epoch: String, seq: Int64) {
            self.session = session
            self.key = key
            self.epoch = epoch
            self.seq = seq
        }
    }

    /// The role it claims.
    public var role: Role
    /// The client's name and version, for the log.
    public var clientName: String?
    /// The client's version, for the log.
    public var clientVersion: String?
    /// A BCP 47 tag such as `zh-CN`.
    public var locale: String?
    /// The convention of every box in both directions.
    public var coordinates: Coordinates
    /// Where to go on, if anywhere.
    public var resume: Resume?
    /// The code of a room to join.
    public var room: String?
    /// The nickname in the room.
    public var name: String?
    /// Whether the tutor may begin a turn by itself.
    public var follow: Bool

    /// Makes a hello; the defaults are the protocol's.
    public init(
        role: Role, clientName: String? = nil, clientVersion: String? = nil, locale: String? = nil,
        coordinates: Coordinates = Coordinates(), resume: Resume? = nil, room: String? = nil, name: String? = nil,
        follow: Bool = false
    ) {
        self.role = role
        self.clientName = clientName
        self.clientVersion = clientVersion
        self.locale = locale
        self.coordinates = coordinates
        self.resume = resume
        self.room = room
        self.name = name
        self.follow = follow
    }
}

/// The role that a client claims; it must equal its token's.
public enum Role: String, Sendable, Hashable, CaseIterable {
    case admin
    case observer
    case student
    case teacher
}
