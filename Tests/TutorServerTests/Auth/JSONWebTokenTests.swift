// JSONWebTokenTests: which tokens are read.
// Spec: RFC 7515, RFC 7519, RFC 8037, RFC 8725

import Testing
import TutorProtocol

@testable import TutorServer

@Suite("JSON Web Token")
struct JSONWebTokenTests {
    private static let header = #"{"alg":"HS256","typ":"JWT"}"#
    private static let payload = #"{"sub":"li","role":"student","exp":1790000600}"#

    @Test func whatIsSignedIsReadBack() throws {
        var claims = Tokens.claims
        claims.room = "K7Q2MN"
        claims.name = "李"
        claims.notBefore = Tokens.now
        claims.issuedAt = Tokens.now - 1_500
        claims.audiences = ["chalkline", "other"]
        claims.issuer = "https://school.example"
        claims.quota = Identity.Quota(tokensPerDay: 10_000, asksPerMinute: 3)
        #expect(try JSONWebToken.read(Tokens.sign(claims), keys: Tokens.keys()) == claims)
        #expect(try JSONWebToken.read(Tokens.sign(), keys: Tokens.keys()) == Tokens.claims)
    }

    /// RFC 7515 A.1: the signature is right, and the payload is then no token of ours, since it names no subject.
    @Test func signatureOfTheStandardsHS256ExampleIsRight() throws {
        let secret = try #require(
            Base64URL.decode(
                [UInt8](
                    ("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75"
                        + "aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow").utf8)))
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Tokens.fault(token, keys: Tokens.keys(Tokens.entry(nil, secret))) == .malformed)
        #expect(Tokens.fault(token) == .signature)
    }

    /// RFC 8037 A.4; its payload is no JSON, so the signature is looked at alone.
    @Test func signatureOfTheStandardsEd25519ExampleIsRight() throws {
        let key = try #require(PublicKey(pem: [UInt8](Tokens.pem.utf8)))
        let signature = try #require(
            Base64URL.decode(
                [UInt8](
                    ("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt"
                        + "9g7sVvpAr_MuM0KAg").utf8)))
        let signed = [UInt8]("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        #expect(key.accepts(signature, of: signed))
        for index in [0, 31, 32, 63] {
            var wrong = signature
            wrong[index] ^= 1
            #expect(!key.accepts(wrong, of: signed))
        }
        #expect(!key.accepts(signature, of: signed + [0]))
        #expect(!key.accepts(signature.dropLast(), of: signed))
        let token = String(decoding: signed, as: UTF8.self) + "." + Base64URL.encode(signature)
        let entry = try #require(Tokens.publicEntry(nil))
        #expect(Tokens.fault(token, keys: Tokens.keys(entry)) == .malformed)
        #expect(Tokens.fault(token.replacing("RXhh", with: "RXhi"), keys: Tokens.keys(entry)) == .signature)
    }

    @Test func algorithmOfTheTokenChoosesNothing() throws {
        for algorithm in ["none", "None", "", "HS384", "HS512", "RS256", "ES256", "PS256", "EdDSA", "Ed25519", "hs256"]
        {
            let token = Tokens.sign(header: #"{"alg":"\#(algorithm)"}"#, payload: Self.payload)
            #expect(Tokens.fault(token) == .signature, "\(algorithm)")
        }
        // The classic: HS256 with the text of the public key as the secret.
        let entry = try #require(Tokens.publicEntry(nil))
        for secret in [Tokens.pem, String(Tokens.pem.dropLast())] {
            let token = Tokens.sign(header: Self.header, payload: Self.payload, secret: [UInt8](secret.utf8))
            #expect(Tokens.fault(token, keys: Tokens.keys(entry)) == .signature)
        }
    }

    @Test func unsignedTokensAreRefused() {
        let parts = Tokens.sign(header: #"{"alg":"none"}"#, payload: Self.payload).split(separator: ".")
        #expect(Tokens.fault("\(parts[0]).\(parts[1]).") == .signature)
        #expect(Tokens.fault("\(parts[0]).\(parts[1])") == .malformed)
    }

    @Test func keyIsTheNamedOneOrTheFirst() throws {
        let old = [UInt8](repeating: 7, count: 32)
        let keys = Tokens.keys(
            Tokens.entry("new"), Tokens.entry("old", old), try #require(Tokens.publicEntry("school")))
        #expect(Tokens.fault(Tokens.sign(), keys: keys) == nil)
        #expect(Tokens.fault(Tokens.sign(name: "new"), keys: keys) == nil)
        #expect(Tokens.fault(Tokens.sign(secret: old, name: "old"), keys: keys) == nil)
        #expect(Tokens.fault(Tokens.sign(secret: old), keys: keys) == .signature)
        #expect(Tokens.fault(Tokens.sign(name: "old"), keys: keys) == .signature)
        #expect(Tokens.fault(Tokens.sign(name: "none"), keys: keys) == .unknownKey)
        // A secret is not tried for the name of a public key.
        #expect(Tokens.fault(Tokens.sign(name: "school"), keys: keys) == .signature)
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "a.b.c.d", "a.b.c.", ".b.c",
    ])
    func textThatIsNoTokenIsRefused(text: String) {
        #expect(Tokens.fault(text) == .malformed)
    }

    @Test func onlyOneSpellingOfATokenIsRead() {
        let token = Tokens.sign()
        #expect(Tokens.fault(token) == nil)
        for wrong in [
            token + "=", " " + token, token + "\n", token + ".", token.replacing(".", with: ".."), "Bearer " + token,
        ] {
            #expect(Tokens.fault(wrong) == .malformed)
        }
    }

    @Test func everyCutTokenIsRefused() {
        let token = Tokens.sign()
        for count in 0..<token.count {
            #expect(Tokens.fault(String(token.prefix(count))) != nil)
            #expect(Tokens.fault(String(token.suffix(count))) != nil)
        }
    }

    @Test func everyFlippedBitIsRefused() {
        let token = [UInt8](Tokens.sign().utf8)
        for index in token.indices {
            for bit in 0..<7 as Range<UInt8> {
                var changed = token
                changed[index] ^= 1 << bit
                #expect(Tokens.fault(String(decoding: changed, as: UTF8.self)) != nil)
            }
        }
    }

    @Test func longTokensAreRefused() {
        var claims = Tokens.claims
        claims.audiences = (0..<16).map { _ in String(repeating: "a", count: 300) }
        #expect(Tokens.fault(Tokens.sign(claims)) == .malformed)
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"null"#, #""x""#, #"{"alg":256}"#, #"{"alg":null}"#, #"{"alg":"HS256","alg":"HS256"}"#,
        #"{"alg":"HS256","crit":["exp"],"exp":1}"#, #"{"alg":"HS256","crit":[]}"#, #"{"alg":"HS256","typ":"JWE"}"#,
        #"{"alg":"HS256","typ":"at+jwt"}"#, #"{"alg":"HS256","typ":5}"#, #"{"alg":"HS256","kid":5}"#,
        #"{"alg":"HS256","kid":""}"#, #"{"alg":"HS256"} x"#, #"{"alg":"HS256""#, #"{"alg":"HS256",}"#, "",
    ])
    func headersThatAreNotUnderstoodAreRefused(header: String) {
        #expect(Tokens.fault(Tokens.sign(header: header, payload: Self.payload)) == .malformed)
    }

    @Test(arguments: [
        #"{"alg":"HS256"}"#, #"{"alg":"HS256","typ":"jwt"}"#, #" {"alg":"HS256","x5u":"https://evil.example"}"#,
    ])
    func otherHeadersAreRead(header: String) {
        #expect(Tokens.fault(Tokens.sign(header: header, payload: Self.payload)) == nil)
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"role":"student","exp":1}"#, #"{"sub":"li","exp":1}"#, #"{"sub":"li","role":"student"}"#,
        #"{"sub":"","role":"student","exp":1}"#, #"{"sub":7,"role":"student","exp":1}"#,
        #"{"sub":"a\u0000b","role":"student","exp":1}"#, #"{"sub":"a\nb","role":"student","exp":1}"#,
        #"{"sub":"li","role":"root","exp":1}"#, #"{"sub":"li","role":"Student","exp":1}"#,
        #"{"sub":"li","role":["student"],"exp":1}"#, #"{"sub":"li","role":"student","exp":"1"}"#,
        #"{"sub":"li","role":"student","exp":-1}"#, #"{"sub":"li","role":"student","exp":1e300}"#,
        #"{"sub":"li","role":"student","exp":null}"#, #"{"sub":"li","role":"student","exp":1,"exp":99999999999}"#,
        #"{"sub":"li","role":"student","exp":1,"nbf":"x"}"#, #"{"sub":"li","role":"student","exp":1,"iat":true}"#,
        #"{"sub":"li","role":"student","exp":1,"aud":[]}"#, #"{"sub":"li","role":"student","exp":1,"aud":[1]}"#,
        #"{"sub":"li","role":"student","exp":1,"aud":{}}"#, #"{"sub":"li","role":"student","exp":1,"iss":1}"#,
        #"{"sub":"li","role":"student","exp":1,"room":1}"#, #"{"sub":"li","role":"student","exp":1,"name":""}"#,
        #"{"sub":"li","role":"student","exp":1,"quota":5}"#,
        #"{"sub":"li","role":"student","exp":1,"quota":{"tokens_per_day":-1}}"#,
        #"{"sub":"li","role":"student","exp":1,"quota":{"asks_per_minute":1.5}}"#,
        #"{"sub":"li","role":"student","exp":1,"x":[[[[[]]]]]}"#,
    ])
    func payloadsThatAreWrongAreRefused(payload: String) {
        #expect(Tokens.fault(Tokens.sign(header: Self.header, payload: payload)) == .malformed)
    }

    @Test func subjectHasAtMost128Bytes() {
        var claims = Tokens.claims
        claims.subject = String(repeating: "é", count: 64)
        #expect(Tokens.fault(Tokens.sign(claims)) == nil)
        claims.subject += "x"
        #expect(Tokens.fault(Tokens.sign(claims)) == .malformed)
    }

    @Test func onlyEd25519KeysAreTakenFromFiles() {
        #expect(PublicKey(pem: []) == nil)
        #expect(PublicKey(pem: [UInt8]("no key".utf8)) == nil)
        #expect(PublicKey(pem: [UInt8](Tokens.pem.replacing("11qY", with: "11q!").utf8)) == nil)
        // secp256r1, from `openssl ecparam -name prime256v1 -genkey -noout | openssl pkey -pubout`.
        let ecdsa = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhnC5CrwkbE1/CxUB8ut8RJP32gAW
            oE6pYsWn9HfLwX/sugdDgEOmbXuFJSJt2bHauig4gQLmhckmwf2waPd3yQ==
            -----END PUBLIC KEY-----

            """
        #expect(PublicKey(pem: [UInt8](ecdsa.utf8)) == nil)
    }
}
