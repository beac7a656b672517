// ConfigurationLoaderTests: where settings come from, and what is refused.

import Foundation
import ModelIO
import Testing
import TutorCore
import TutorProtocol
import TutorServer

@Suite("Configuration")
struct ConfigurationLoaderTests {
    private func load(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil,
        secrets: [String: String] = [:]
    ) throws(ConfigurationError) -> Configuration {
        try ConfigurationLoader.load(flags: flags, environment: environment, file: file) {
            (path) throws(ConfigurationError) in
            guard let text = secrets[path] else { throw .file(path: path, reason: "missing") }
            return text
        }
    }

    @Test func flagsBeatTheEnvironmentWhichBeatsTheFile() throws {
        let file = "screen_budget = 100\nelements = 101\nhighlight_ms = 1000\n"
        let configuration = try load(
            flags: ["screen_budget": "300"],
            environment: ["CHALKLINE_SCREEN_BUDGET": "200", "CHALKLINE_ELEMENTS": "201", "PATH": "/bin"], file: file)
        #expect(configuration.session.screenBudget == 300)
        #expect(configuration.session.limits.elements == 201)
        #expect(configuration.session.highlightLifetime == .seconds(1))
    }

    @Test(arguments: Setting.all.map(\.name))
    func everyDefaultReadsAsItIsShown(name: String) throws {
        let defaults = try load()
        let setting = try #require(Setting.all.first { $0.name == name })
        guard !setting.isSecret, name != "model_base_url" else { return }
        let again = try load(flags: [name: setting.shown(in: defaults)])
        #expect(setting.shown(in: again) == setting.shown(in: defaults))
    }

    @Test func unknownNamesAreErrorsThatNameTheNearest() {
        #expect(
            throws: ConfigurationError.unknown(
                name: "CHALKLINE_LISTN", source: "environment", nearest: "CHALKLINE_LISTEN")
        ) { try load(environment: ["CHALKLINE_LISTN": "x"]) }
        #expect(
            throws: ConfigurationError.unknown(
                name: "screen_buget", source: "configuration file", nearest: "screen_budget")
        ) {
            try load(file: "screen_buget = 3")
        }
        #expect(throws: ConfigurationError.unknown(name: "--modle-name", source: "flags", nearest: "--model-name")) {
            try load(flags: ["modle_name": "x"])
        }
    }

    @Test(arguments: [
        ("listen", "nowhere"), ("listen", "127.0.0.1:99999"), ("shards", "0"), ("elements", "-1"), ("hint_max", "5"),
        ("model", "gpt"), ("log_level", "loud"), ("grace_ms", "1.5"), ("allowed_origins", "https://a.example/"),
        ("allowed_origins", "a.example"), ("connections", "many"),
    ])
    func valuesOutOfRangeAreErrorsThatNameTheSetting(name: String, value: String) {
        do throws(ConfigurationError) {
            _ = try load(flags: [name: value])
            Issue.record("accepted \(name) = \(value)")
        } catch {
            if case .value(name, _) = error { return }
            Issue.record("unexpected \(error)")
        }
    }

    @Test func linesOfTheFileMayHaveCommentsAndWindowsEnds() throws {
        let configuration = try load(file: "# all of it\r\n\r\nelements = 7\r\nmodel_name =  x y \r\n")
        #expect(configuration.session.limits.elements == 7)
        #expect(configuration.model.name == "x y")
        #expect(throws: ConfigurationError.line(number: 2)) { try load(file: "elements = 7\nelements") }
        #expect(throws: ConfigurationError.repeated("elements")) { try load(file: "elements = 7\nelements = 8") }
    }

    @Test func secretMayStandInAFileAndIsNeverShown() throws {
        let configuration = try load(
            environment: ["CHALKLINE_MODEL_KEY_FILE": "/run/key"], secrets: ["/run/key": "sk-1234567\n"])
        #expect(configuration.model.key?.revealed == "sk-1234567")
        let setting = try #require(Setting.all.first { $0.name == "model_key" })
        #expect(setting.shown(in: configuration) == "<redacted>")
        #expect(!"\(configuration)".contains("sk-1234567"))
        #expect(throws: ConfigurationError.repeated("CHALKLINE_MODEL_KEY")) {
            try load(environment: ["CHALKLINE_MODEL_KEY_FILE": "/run/key", "CHALKLINE_MODEL_KEY": "x"])
        }
    }

    @Test(arguments: ["sk-1234567", "sk-1234567\r\n", "\r\n sk-1234567\t\r\nmore\r\n"])
    func secretsFileMayHaveWindowsEnds(text: String) throws {
        let configuration = try load(
            environment: ["CHALKLINE_MODEL_KEY_FILE": "/run/key"], secrets: ["/run/key": text])
        #expect(configuration.model.key?.revealed == "sk-1234567")
    }

    @Test func secretIsNotTakenOnTheCommandLine() {
        do throws(ConfigurationError) {
            _ = try load(flags: ["model_key": "sk-1234567"])
            Issue.record("a secret was taken as a flag")
        } catch {
            #expect(!error.description.contains("sk-1234567"))
            #expect(error.description.contains("CHALKLINE_MODEL_KEY_FILE"))
        }
    }

    @Test(arguments: ["models.example/v1", "ftp://models.example", "https://", "https://a:b@models.example/v1"])
    func addressOfTheModelIsCheckedBeforeTheServerStarts(address: String) {
        #expect(throws: ConfigurationError.self) { try load(flags: ["model": "openai", "model_base_url": address]) }
    }

    @Test func withoutTokensOnlyALoopbackAddressIsGood() {
        #expect(throws: ConfigurationError.self) { try load(flags: ["listen": "0.0.0.0:80"]) }
        #expect(throws: ConfigurationError.self) { try load(flags: ["listen": "192.0.2.1:80"]) }
        #expect(throws: Never.self) { try load(flags: ["listen": "[::1]:80"]) }
    }

    @Test func modelNeedsWhatItsKindNeeds() throws {
        #expect(throws: ConfigurationError.self) { try load(flags: ["model": "openai"]) }
        #expect(throws: ConfigurationError.self) { try load(flags: ["model": "scripted"]) }
        let configuration = try load(
            flags: ["model": "openai", "model_base_url": "http://127.0.0.1:1/v1", "model_name": "m"])
        #expect(configuration.session.modelName == "m")
        #expect(!configuration.session.pointsAnywhere)
        #expect(try load().session.pointsAnywhere)
    }

    @Test func referencePageIsInStep() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/configuration.md")
        #expect(try String(contentsOf: page, encoding: .utf8) == SettingReference.markdown)
    }
}
