// TokenSettingsTests: the settings of tokens and proxies.
// Spec: docs/configuration.md, docs/auth.md

import Foundation
import ModelIO
import Testing
import TutorProtocol

@testable import TutorServer

@Suite("Token settings")
struct TokenSettingsTests {
    private static let long = "a secret of more than thirty-two bytes"

    private func settings(_ environment: [String: String]) throws(ConfigurationError) -> TokenSettings {
        try ConfigurationLoader.load(flags: [:], environment: environment, file: nil) {
            (path) throws(ConfigurationError) in
            guard path == "/secret" else { throw .file(path: path, reason: "missing") }
            return Self.long + "\n"
        }.tokens
    }

    private func names(_ secret: String) throws -> [String?] {
        try settings(["CHALKLINE_TOKEN_SECRET": secret]).secrets.map(\.name)
    }

    @Test func secretsHaveNamesOrNone() throws {
        #expect(try names(Self.long) == [nil])
        #expect(try names("k1=\(Self.long), k2=\(Self.long)x,\(Self.long)y") == ["k1", "k2", nil])
        // Base64 ends with `=`; what stands before it is no name.
        #expect(try names(Self.long.replacing(" ", with: "A") + "=") == [nil])
        #expect(try names("two words=\(Self.long)") == [nil])
        #expect(try names("") == [])
    }

    @Test func secretComesFromAFileToo() throws {
        let tokens = try settings(["CHALKLINE_TOKEN_SECRET_FILE": "/secret"])
        #expect(tokens.secrets.map(\.secret.revealed) == [Self.long])
        #expect(throws: ConfigurationError.file(path: "/none", reason: "missing")) {
            try settings(["CHALKLINE_TOKEN_SECRET_FILE": "/none"])
        }
    }

    @Test(arguments: ["short", "k1=short", "a-very-long-name-of-a-key-and-nothing=x"])
    func shortSecretsAreRefusedAndNotShown(secret: String) {
        do throws(ConfigurationError) {
            let tokens = try settings(["CHALKLINE_TOKEN_SECRET": secret])
            // Read as one unnamed secret it is long enough.
            #expect(tokens.secrets.map(\.name) == [nil] && secret.utf8.count >= 32)
        } catch {
            #expect(!"\(error)".contains(secret))
            #expect("\(error)".contains("token_secret"))
        }
    }

    @Test func secretIsNeverPrinted() throws {
        let tokens = try settings(["CHALKLINE_TOKEN_SECRET": Self.long])
        #expect(!"\(tokens)".contains("thirty"))
        var dumped = ""
        dump(tokens, to: &dumped)
        #expect(!dumped.contains("thirty"))
    }

    @Test func twoKeysOfOneNameAreRefused() {
        #expect(throws: ConfigurationError.conflict("two token keys are named k1")) {
            try settings(["CHALKLINE_TOKEN_SECRET": "k1=\(Self.long),k1=\(Self.long)x"])
        }
        #expect(throws: ConfigurationError.conflict("two token keys are named k1")) {
            try settings(["CHALKLINE_TOKEN_SECRET": "k1=\(Self.long)", "CHALKLINE_TOKEN_PUBLIC_KEYS": "k1=/a.pem"])
        }
    }

    @Test func proxiesNeedTokens() throws {
        do throws(ConfigurationError) {
            _ = try settings(["CHALKLINE_TRUSTED_PROXIES": "10.0.0.0/8"])
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains("token_secret"))
        }
        let tokens = try settings([
            "CHALKLINE_TRUSTED_PROXIES": "10.0.0.0/8, ::1", "CHALKLINE_TOKEN_SECRET": Self.long,
        ])
        #expect(tokens.trustedProxies.map(\.text) == ["10.0.0.0/8", "::1"])
    }

    @Test(arguments: ["10.0.0.1/8", "proxy.example", "10.0.0.0/8;::1"])
    func blocksThatAreNoneAreRefused(text: String) {
        do throws(ConfigurationError) {
            _ = try settings(["CHALKLINE_TRUSTED_PROXIES": text, "CHALKLINE_TOKEN_SECRET": Self.long])
            Issue.record("accepted")
        } catch {
            #expect("\(error)".hasPrefix("trusted_proxies"))
        }
    }

    @Test func publicKeysAreReadFromTheirFiles() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "chalkline-key-\(UUID()).pem")
        try Data(Tokens.pem.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let tokens = try settings(["CHALKLINE_TOKEN_PUBLIC_KEYS": "school=\(file.path)"])
        #expect(tokens.publicKeys == [TokenSettings.NamedFile(name: "school", path: file.path)])
        #expect(try !tokens.authenticator().isOpen)
        try Data("no key".utf8).write(to: file)
        #expect(throws: ConfigurationError.self) { try tokens.authenticator() }
        #expect(try TokenSettings().authenticator().isOpen)
    }

    @Test(
        arguments: [
            ("90", 90), ("90s", 90), ("10m", 600), ("8h", 28_800), ("7d", 604_800), ("0", 0), ("", nil), ("m", nil),
            ("1.5h", nil), ("-1m", nil), ("10 m", nil), ("1w", nil), ("9223372036854775807d", nil),
        ] as [(String, Int64?)])
    func timesAreReadWithTheirUnits(text: String, seconds: Int64?) {
        #expect(TokenCommand.seconds(text) == seconds)
    }
}
