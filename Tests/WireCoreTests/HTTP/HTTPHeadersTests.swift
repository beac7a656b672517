// HTTPHeadersTests: names without case, lists, repeated fields.

import Testing
import WireCore

@Suite("RFC 9110 §5 header fields")
struct HTTPHeadersTests {
    @Test func comparesNamesWithoutCase() {
        var headers = HTTPHeaders([("Content-Type", "a"), ("X", "1"), ("x", "2")])
        #expect(headers.first("CONTENT-type") == "a")
        #expect(headers.all("X") == ["1", "2"] && headers.count(of: "x") == 2)
        headers.set("X", "3")
        #expect(headers.all("x") == ["3"])
        headers.add("x", "4")
        #expect(headers.all("x") == ["3", "4"])
        #expect(headers.first("[") == nil)
    }

    @Test(arguments: [
        ("a", ["a"]), ("", []), (",", []), ("a,b", ["a", "b"]), (" a ,\t, b ,", ["a", "b"]),
        ("a;x=\"1,2\", b", ["a;x=\"1,2\"", "b"]), ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"open,b", ["\"open,b"]),
        ("\\", ["\\"]), ("\"\\", ["\"\\"]),
    ])
    func splitsLists(value: String, members: [String]) {
        #expect(HTTPHeaders([("L", value)]).list("l") == members)
    }

    @Test func findsListMembersOverAllFieldsWithoutCase() {
        let headers = HTTPHeaders([("Connection", "keep-alive"), ("connection", "x, UPGRADE")])
        #expect(headers.lists("upgrade", in: "Connection"))
        #expect(!headers.lists("grade", in: "Connection"))
        #expect(!headers.lists("upgrade", in: "Upgrade"))
    }
}
