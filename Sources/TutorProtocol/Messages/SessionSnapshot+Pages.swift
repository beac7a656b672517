// SessionSnapshot+Pages: cuts a snapshot into messages that are not too long.
// Spec: docs/protocol.md §3 (`session.snapshot`), §11 (`server_message_bytes`)

extension SessionSnapshot {
    /// The snapshot in pages, each at most `limit` bytes long on the wire, whatever its texts hold.
    ///
    /// The running turn comes first: where its text does not fit, the rest of it stands on the next pages. A turn that is
    /// over is never cut: one that is too long for a page of its own comes without its question, or not at all.
    public func pages(limit: Int) -> [SessionSnapshot] {
        let room = max(Self.leastRoom, limit - Self.frameBytes)
        var pages: [SessionSnapshot] = []
        var page = SessionSnapshot(lastSeq: lastSeq, running: nil, turns: [])
        var used = 0
        if var rest = running {
            var text = Substring(rest.text)
            rest.text = ""
            repeat {
                let piece = text.prefix(bytes: (room - Self.cost(of: rest)) / Self.longestEscape)
                text = text[piece.endIndex...]
                rest.text = String(piece)
                page.running = rest
                used = Self.cost(of: rest)
                rest.text = ""
                rest.shown = Shown()
                if !text.isEmpty {
                    pages.append(page)
                    page.running = nil
                }
            } while !text.isEmpty
        }
        for var ended in turns {
            if Self.cost(of: ended) > room { ended.question = nil }
            let cost = Self.cost(of: ended)
            guard cost <= room else { continue }
            if used + cost > room {
                pages.append(page)
                page = SessionSnapshot(lastSeq: lastSeq, running: nil, turns: [])
                used = 0
            }
            page.turns.append(ended)
            used += cost
        }
        pages.append(page)
        for index in pages.indices {
            pages[index].part = index + 1
            pages[index].parts = pages.count
        }
        return pages
    }

    // MARK: The most that a part can take on the wire

    /// `\u001f` stands for one byte.
    private static let longestEscape = 6
    /// Everything of a page but its turns.
    private static let frameBytes = 256
    /// The least that a page holds, however low the limit is: a running turn with all that it may show, and some text.
    private static let leastRoom = 4_096
    /// Names, numbers and punctuation of a turn, or of one thing that it shows.
    private static let partBytes = 384

    private static func cost(of turn: Running) -> Int {
        partBytes + cost(of: turn.re?.rawValue) + cost(of: turn.text) + cost(of: turn.shown)
    }

    private static func cost(of turn: Ended) -> Int {
        partBytes + cost(of: turn.re?.rawValue) + cost(of: turn.reason) + cost(of: turn.question)
            + cost(of: turn.answer) + cost(of: turn.summary) + cost(of: turn.shown)
    }

    private static func cost(of shown: Shown) -> Int {
        shown.highlights.reduce(0) { $0 + partBytes + cost(of: $1.element.rawValue) + cost(of: $1.label) }
            + shown.nextActions.reduce(0) { $0 + partBytes + cost(of: $1.element.rawValue) + cost(of: $1.text) }
    }

    private static func cost(of text: String?) -> Int {
        longestEscape * (text?.utf8.count ?? 0)
    }
}

extension Substring {
    /// The longest start of at most so many bytes, but at least one character: a text that is cut has to get shorter.
    fileprivate func prefix(bytes limit: Int) -> Substring {
        var end = startIndex
        var count = 0
        while end < endIndex {
            let next = unicodeScalars.index(after: end)
            count += utf8.distance(from: end, to: next)
            if count > limit, end > startIndex { break }
            end = next
        }
        return self[..<end]
    }
}
