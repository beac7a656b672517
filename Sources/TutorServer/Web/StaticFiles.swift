// StaticFiles: the files of `public/`, as answers.
// Spec: docs/architecture.md (static files)

internal import Glibc
public import WireCore

/// The files of one folder, read once at start.
///
/// A request is looked up in this list and never becomes a path, so no spelling of one can leave the folder.
public struct StaticFiles: Sendable {
    /// What is wrong with the folder.
    public enum Fault: Error, Sendable, Hashable {
        case fileTooLarge(path: String, limit: Int)
        case tooLarge(limit: Int)
        case tooManyFiles(limit: Int)
        case unreadable(path: String, code: Int32)
    }

    struct File: Sendable {
        var response: HTTPResponse
        var tag: String
    }

    private var files: [String: File] = [:]

    /// Paths of all files, each beginning with `/`.
    public var paths: [String] { files.keys.sorted() }

    /// No files.
    public init() {}

    /// Reads a folder with what is below it; links and names that begin with a dot are left out.
    ///
    /// - Throws: ``Fault``.
    public init(folder: String) throws(Fault) {
        var total = 0
        try read(folder, prefix: "/", total: &total)
        // `/` and `/teach` are pages, under names that do not change when their files do.
        if let index = files["/index.html"] { files["/"] = index }
        if let teach = files["/teach.html"] { files["/teach"] = teach }
    }

    /// The answer to a request, or nil when there is no such file.
    public func answer(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard let file = files[head.path] else { return nil }
        if let refusal = Self.refusal(of: head.method) { return refusal }
        // RFC 9110 §13.1.2: the list may hold several tags, and `*` stands for any.
        let known = head.headers.list("If-None-Match")
        guard known.contains(where: { $0 == "*" || $0 == file.tag || $0 == "W/\(file.tag)" }) else {
            return file.response
        }
        return HTTPResponse(status: .notModified, headers: file.response.headers)
    }

    /// The answer to a method that reads nothing; nil for GET and HEAD.
    static func refusal(of method: HTTPMethod) -> HTTPResponse? {
        guard method != .get, method != .head else { return nil }
        var response = HTTPResponse(status: .methodNotAllowed, text: "use GET")
        response.headers.add("Allow", "GET, HEAD")
        return response
    }

    private mutating func read(_ folder: String, prefix: String, total: inout Int) throws(Fault) {
        guard let directory = opendir(folder) else { throw .unreadable(path: folder, code: errno) }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            var info = stat()
            guard lstat(path, &info) == 0 else { throw .unreadable(path: path, code: errno) }
            switch info.st_mode & S_IFMT {
            case S_IFDIR: try read(path, prefix: "\(prefix)\(name)/", total: &total)
            case S_IFREG:
                guard files.count < Self.fileLimit else { throw .tooManyFiles(limit: Self.fileLimit) }
                total += Int(info.st_size)
                guard total <= Self.byteLimit else { throw .tooLarge(limit: Self.byteLimit) }
                let body = try Self.contents(path)
                files[prefix + name] = Self.file(name: name, body: body)
            default: continue
            }
        }
    }

    private static func contents(_ path: String) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw .unreadable(path: path, code: errno) }
            if count == 0 { return all }
            all += buffer[..<count]
            guard all.count <= fileByteLimit else { throw .fileTooLarge(path: path, limit: fileByteLimit) }
        }
    }

    private static func file(name: String, body: [UInt8]) -> File {
        let tag = "\"\(contentTag(body))\""
        let type = contentType(name)
        var headers = HTTPHeaders([
            ("Content-Type", type), ("ETag", tag),
            // Asked for again each time, answered 304 when it is the same: a new version reaches every page at once.
            ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ])
        if type.hasPrefix("text/html") {
            for (header, value) in pageHeaders { headers.add(header, value) }
        } else {
            // Pages of other sites load these as modules.
            headers.add("Access-Control-Allow-Origin", "*")
            headers.add("Cross-Origin-Resource-Policy", "cross-origin")
        }
        return File(response: HTTPResponse(status: .ok, headers: headers, body: body), tag: tag)
    }

    /// 64 bits of FNV-1a and the length: tells versions of a file apart, and need not withstand an attacker.
    private static func contentTag(_ body: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36) + "-" + String(body.count, radix: 36)
    }

    private static func contentType(_ name: String) -> String {
        switch name.split(separator: ".").last.map(String.init) ?? "" {
        case "css": "text/css; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "ico": "image/x-icon"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt", "md": "text/plain; charset=utf-8"
        case "woff2": "font/woff2"
        default: "application/octet-stream"
        }
    }

    private static let pageHeaders = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                + "require-trusted-types-for 'script'"
        ),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]

    /// Most files.
    static let fileLimit = 1_000
    /// Most bytes of one file.
    ///
    /// 512 KiB: with what may be queued before it (``TransportLimits/pipelinedBytes``) below what a connection holds for
    /// a slow reader, so that no answer is cut.
    static let fileByteLimit = 524_288
    /// Most bytes of all files together.
    ///
    /// 64 MiB.
    static let byteLimit = 67_108_864
}
