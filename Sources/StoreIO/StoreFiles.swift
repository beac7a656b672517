// StoreFiles: the data folder and the files in it.
// Spec: docs/reliability.md; https://www.sqlite.org/wal.html

internal import Glibc

/// The data folder and the files in it.
package struct StoreFiles: Sendable {
    /// The database's name in its folder.
    package static let name = "chalkline.sqlite"
    /// What SQLite appends to the name for its other files.
    package static let suffixes = ["", "-wal", "-shm"]

    /// The data folder.
    package let folder: String

    /// Names the files of a folder.
    package init(folder: String) { self.folder = folder }

    /// The database.
    package var path: String { folder + "/" + Self.name }

    /// Makes the folder (0700) and the file (0600) where they are missing.
    package func prepare() throws(StoreError) {
        var made = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            guard errno != ENOSPC else { throw .full }
            throw .unusable("the data folder cannot be made: \(Self.reason())")
        }
        // SQLite gives its other files the mode of the first.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            // SQLite opens it for reading alone.
            if errno == EACCES || errno == EROFS, access(path, R_OK) == 0 { return }
            if errno == ENOSPC { throw .full }
            throw .unusable("the data file cannot be opened: \(Self.reason())")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        Glibc.close(descriptor)
    }

    /// Whether this process may write to the database.
    package var isWritable: Bool { access(path, W_OK) == 0 }

    /// The size of the database or of one of its other files, in bytes; 0 when there is none.
    package func size(suffix: String = "") -> Int {
        var status = stat()
        return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Moves the database and its other files aside, as `chalkline.sqlite.corrupt-<n>`, and removes the oldest beyond
    /// `kept`; returns the new name.
    package func moveAside(keeping kept: Int) throws(StoreError) -> String {
        var numbers = damaged()
        let number = (numbers.last ?? 0) + 1
        let name = Self.name + ".corrupt-\(number)"
        for suffix in Self.suffixes where rename(path + suffix, folder + "/" + name + suffix) != 0 {
            guard errno == ENOENT else { throw .unusable("the damaged file cannot be moved: \(Self.reason())") }
        }
        numbers.append(number)
        for old in numbers.dropLast(max(kept, 1)) {
            for suffix in Self.suffixes { unlink(path + ".corrupt-\(old)" + suffix) }
        }
        return name
    }

    /// The numbers of the damaged files that are kept, smallest first.
    package func damaged() -> [Int] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var numbers: Set<Int> = []
        let prefix = Self.name + ".corrupt-"
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(prefix) else { continue }
            let digits = name.dropFirst(prefix.count).prefix { $0.isNumber }
            // A number of nine digits leaves room for the next.
            if digits.count <= 9, let number = Int(digits) { numbers.insert(number) }
        }
        return numbers.sorted()
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
