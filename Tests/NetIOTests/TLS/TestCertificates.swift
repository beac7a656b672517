// TestCertificates: self-signed certificates for the tests, made by the openssl command.

import Foundation
import NetIO

/// Self-signed certificates in a temporary folder, made once for all tests and removed at the process's end.
enum TestCertificates {
    /// Which key a certificate has.
    enum Kind: String, CaseIterable, Sendable {
        case ecdsa
        case rsa
    }

    /// One certificate of each kind, and another pair to change to.
    static func files(_ kind: Kind, _ name: String = "first") -> TLSContext.Files {
        _ = made
        return ("\(folder)/\(name)-\(kind.rawValue).pem", "\(folder)/\(name)-\(kind.rawValue).key")
    }

    /// A context with one certificate of each of these kinds.
    static func context(_ kinds: [Kind] = Kind.allCases) throws -> TLSContext {
        try TLSContext(certificates: kinds.map { files($0) })
    }

    static let folder: String = {
        let path = FileManager.default.temporaryDirectory.appending(path: "chalkline-tls-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    private static let made: Void = {
        for name in ["first", "second"] {
            for kind in Kind.allCases {
                let algorithm = kind == .rsa ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
                openssl(
                    ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-newkey"] + algorithm
                        + ["-keyout", "\(folder)/\(name)-\(kind.rawValue).key"]
                        + ["-out", "\(folder)/\(name)-\(kind.rawValue).pem"])
            }
        }
        atexit { try? FileManager.default.removeItem(atPath: TestCertificates.folder) }
    }()

    /// Runs the openssl command.
    static func openssl(_ arguments: [String]) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardError = FileHandle.nullDevice
        try? process.run()
        process.waitUntilExit()
    }
}
