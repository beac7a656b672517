// JSONMemory: the memory that hostile messages make the decoder take.
// Source: proc(5), clear_refs and VmHWM

internal import Foundation
internal import Glibc
internal import TutorProtocol

/// The memory that hostile messages make the decoder take, as the rise of the process's peak.
///
/// Each message is as long as the default limit allows, and its result is kept until the peak is read.
enum JSONMemory {
    /// Prints a line for each kind of message.
    static func report() {
        print("\nhostile message".padding(toLength: 45, withPad: " ", startingAt: 0), "bytes   peak  times  answer")
        for (name, bytes) in messages() {
            giveBack()
            try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
            let before = status("VmRSS:")
            let result = Result { try MessageDecoder().decode(bytes) }
            let rise = max(0, status("VmHWM:") - before)
            let answer: String
            switch result {
            case .success: answer = "accepted"
            case .failure(let error): answer = (error as? MessageError)?.code.rawValue ?? "failed"
            }
            let tenths = rise * 10 / bytes.count
            print(
                name.padding(toLength: 44, withPad: " ", startingAt: 0), bytes.count, rise,
                "\(tenths / 10).\(tenths % 10)", answer)
        }
    }

    /// Gives freed memory back to the system, so that using it again is seen.
    private static func giveBack() {
        // The function is the C library's, but no part of Swift's module of it.
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static func messages() -> [(String, [UInt8])] {
        let snapshot = #"{"type":"screen.snapshot","revision":1,"elements":["#
        let delta = #"{"type":"screen.delta","base":1,"revision":2,"#
        return [
            ("deep nesting", repeated("[", from: #"{"type":"ping","x":"#)),
            ("many keys", repeated(from: #"{"type":"ping""#) { #","k\#($0)":0"# }),
            ("many small objects", repeated(#"{"a":0},"#, from: #"{"type":"ping","x":["#, to: "0]}")),
            ("escapes", repeated(#"\u6f22"#, from: #"{"type":"ask","id":"q","text":""#, to: "\"}")),
            ("escapes in an element's text", repeated(#"\n"#, from: snapshot + #"{"content":""#, to: "\"}]}")),
            ("digits", repeated("1", from: #"{"type":"ping","t":"#, to: "}")),
            ("small elements, all that are allowed", elements(snapshot, count: 2_000)),
            ("small elements, one too many and more", elements(snapshot, count: 4_700)),
            (
                "small updates",
                repeated(from: delta + #""update":["#, count: 500) { #"\#($0 == 0 ? "" : ","){"id":"\#($0)"}"# }
                    + Array("]}".utf8)
            ),
            (
                "ids of moves",
                Array((delta + #""move":[{"by":[0,0],"ids":["#).utf8)
                    + repeated(from: "", count: 2_000) { #"\#($0 == 0 ? "" : ",")"\#($0)""# } + Array("]}]}".utf8)
            ),
        ]
    }

    private static func elements(_ head: String, count: Int) -> [UInt8] {
        repeated(from: head, count: count) {
            #"\#($0 == 0 ? "" : ","){"id":"\#($0)","type":"","content":"","box":[0,0,1,1]}"#
        } + Array("]}".utf8)
    }

    private static func repeated(_ part: String, from head: String, to tail: String = "") -> [UInt8] {
        let count = (Limits().clientMessageBytes - head.utf8.count - tail.utf8.count) / part.utf8.count
        return Array((head + String(repeating: part, count: count) + tail).utf8)
    }

    private static func repeated(from head: String, count: Int = .max, _ part: (Int) -> String) -> [UInt8] {
        var bytes = Array(head.utf8)
        var number = 0
        while number < count, bytes.count + 60 < Limits().clientMessageBytes {
            bytes += part(number).utf8
            number += 1
        }
        return bytes
    }

    /// A field of the process's status, in bytes; 0 where there is none.
    private static func status(_ field: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) })
        else { return 0 }
        return (Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0) * 1_024
    }
}
