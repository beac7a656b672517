// SecureEndpoint: the scripted endpoint behind TLS, with a certificate of its own.
// Spec: docs/models.md (the scripted endpoint)

import Foundation
import ModelIO
import Testing

/// The scripted endpoint behind TLS, with a certificate of its own for 127.0.0.1.
final class SecureEndpoint {
    let endpoint: ScriptedEndpoint
    /// The file of its certificate, which is its own authority.
    let certificate: String
    private let folder: String

    /// Starts it with a script.
    init(_ script: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
        certificate = folder + "/cert.pem"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out", certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
        endpoint = try ScriptedEndpoint(script, certificate: certificate, key: folder + "/key.pem")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The settings of a client that trusts it.
    var settings: ModelSettings {
        var settings = endpoint.settings
        settings.baseURL = "https://127.0.0.1:\(endpoint.port)/v1"
        settings.authoritiesFile = certificate
        return settings
    }
}
