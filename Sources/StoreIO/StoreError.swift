// StoreError: why the store did not do what it was asked.
// Spec: docs/reliability.md (writing)

internal import CSQLite

/// Why the store did not do what it was asked; nothing of it is on disk then.
public enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process held the file for longer than the wait.
    case busy
    /// The store is closed.
    case closed
    /// The file was damaged; it was moved aside and a new one is in its place, or will be.
    case corrupt
    /// SQLite refused for another reason; its extended code.
    case failed(code: Int32)
    /// The disk is full.
    case full
    /// The disk failed to read or write; SQLite's extended code.
    case io(code: Int32)
    /// The file was written by a newer version of the program.
    case newerSchema(found: Int, known: Int)
    /// No such session.
    case notFound
    /// Too much waits for the disk already.
    case overloaded
    /// The file cannot be written.
    case readOnly
    /// The folder or the file cannot be used; why, in plain words without a path.
    case unusable(String)

    /// What SQLite's result code means here.
    package init(code: Int32) {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_FULL: self = .full
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL: self = .io(code: code)
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        default: self = .failed(code: code)
        }
    }

    /// Whether it is the disk's fault, so that it may heal by itself.
    public var isDisk: Bool {
        switch self {
        case .busy, .corrupt, .full, .io, .readOnly, .unusable: true
        case .closed, .failed, .newerSchema, .notFound, .overloaded: false
        }
    }

    /// One plain sentence without payload or path.
    public var description: String {
        switch self {
        case .busy: "another process holds the file"
        case .closed: "the store is closed"
        case .corrupt: "the file is damaged"
        case .failed(let code): "SQLite refused, code \(code)"
        case .full: "the disk is full"
        case .io(let code): "the disk failed, code \(code)"
        case .newerSchema(let found, let known):
            "the file has schema \(found), this version knows schemas up to \(known): start the newer version"
        case .notFound: "there is no such session"
        case .overloaded: "too much waits for the disk"
        case .readOnly: "the file cannot be written"
        case .unusable(let why): why
        }
    }
}
