// Session, turns: how one begins and ends.
// Spec: docs/protocol.md §5 rules 1, 2, 5, 11 and 12

import ScreenCore
import TutorProtocol

extension Session {
    /// Begins the turn of an ask and calls the model.
    ///
    /// - Parameters:
    ///   - ask: The ask; nothing else runs or waits.
    ///   - seesScreen: Whether the server has the screen that the ask is about. Without it nothing can be pointed at.
    mutating func start(_ ask: AcceptedAsk, seesScreen: Bool) {
        let pinned = seesScreen ? screen : ScreenState()
        let level = grant(ask)
        let language = LanguageChoice.choose(
            askLanguage: ask.language, question: ask.question, locale: hello.locale)
        let focus = seesScreen ? normalized(ask.focus) ?? pinned.focus : nil
        let selection = ScreenSelector(budget: configuration.screenBudget).select(
            pinned,
            query: RelevanceQuery(
                question: ask.question, focus: focus, changed: changed, lastTouched: lastTouched),
            aliases: &aliases)
        let lesson = lesson(ask, on: pinned, selection: selection, language: language, level: level, focus: focus)
        let prompt = PromptInput(
            rows: seesScreen ? selection.rows : nil, changes: changesLine(in: selection), question: ask.question,
            language: language, hintLevel: level, summaries: summaries.entries, nonce: random.nextNonce())
        let messages = PromptBuilder().build(prompt)
        let call = nextCall(messages)

        let id = begin(
            ask, revision: seesScreen ? pinned.revision : nil, level: level,
            context: TurnStart.Context(
                elements: selection.elementCount, sent: selection.sent.count, promptTokens: call.promptTokens,
                budget: selection.budget, leftOut: selection.leftOut, summaries: summaries.entries.count))
        var sent = selection.sent
        if configuration.pointsAnywhere {
            for entry in lesson.elements { sent[entry.alias] = pinned.element(entry.element.id)?.serial }
        }
        active = ActiveTurn(
            id: id, ask: ask, pinned: pinned, sent: sent, prompt: prompt, lesson: lesson, call: call)
        emit(.send(.turnState(id, .thinking)))
        emit(
            .startModel(
                ModelRequest(
                    messages: messages, maximumOutputTokens: configuration.maximumOutputTokens, lesson: lesson),
                call: call.id))
        changed.removeAll()
        goneCount = 0
        if seesScreen { hadTurnOnScreen = true }
    }

    /// Gives an ask that was over before it began its start and its end; no model is called (rule 1).
    mutating func startAndEnd(_ ask: AcceptedAsk, _ status: TurnEnd.Status, reason: EndReason? = nil) {
        let id = begin(ask, revision: nil, level: grant(ask), context: TurnStart.Context())
        finish(
            TurnEnd(
                turn: id, re: ask.id, status: status, reason: reason?.wire, answer: "", summary: nil, dropped: [],
                usage: nil, firstTextMilliseconds: nil, durationMilliseconds: (now - ask.askedAt).wholeMilliseconds),
            of: ask)
    }

    /// Ends what runs or waits, and aborts its call.
    mutating func endRunning(_ status: TurnEnd.Status, reason: EndReason? = nil) {
        if let ask = waiting {
            waiting = nil
            cancelTimer(.snapshotWait)
            startAndEnd(ask, status, reason: reason)
        }
        if let turn = active {
            active = nil
            emit(.cancelModel(turn.call.id))
            end(turn, status, reason: reason)
        }
    }

    /// Ends a turn that is ``active`` no more and whose call is over.
    mutating func end(_ turn: consuming ActiveTurn, _ status: TurnEnd.Status, reason: EndReason? = nil) {
        turn.closeCall(estimator: TokenEstimator())
        let ask = turn.ask
        var summary = turn.summary
        if status == .done {
            let line = summary ?? ExtractiveSummary.line(question: ask.question, answer: turn.answer)
            summary = line.isEmpty ? nil : line
            summaries.append(line)
        }
        finish(
            TurnEnd(
                turn: turn.id, re: ask.id, status: status, reason: reason?.wire, answer: turn.answer, summary: summary,
                dropped: turn.dropped, usage: turn.usage,
                firstTextMilliseconds: turn.firstTextAt.map { ($0 - ask.askedAt).wholeMilliseconds },
                durationMilliseconds: (now - ask.askedAt).wholeMilliseconds),
            of: ask)
        aliases.endTurn(on: screen)
    }

    /// The next call, with the estimate for its prompt.
    mutating func nextCall(_ messages: [ModelMessage]) -> ModelCall {
        lastCall += 1
        return ModelCall(id: ModelCallID(lastCall), promptTokens: PromptBuilder().tokens(of: messages))
    }

    /// Numbers a turn and says that it began, which ends what was shown of the one before (rule 9).
    private mutating func begin(
        _ ask: AcceptedAsk, revision: Int64?, level: Int, context: TurnStart.Context
    ) -> TurnID {
        live.removeAll()
        openSteps.removeAll()
        eraseRest()
        lastTurn += 1
        let id = TurnID(lastTurn)
        let logged = append(
            .turnStart(
                TurnStart(
                    turn: id, cause: ask.cause, re: ask.id, revision: revision, model: configuration.modelName,
                    hintLevel: level, context: context)))
        asks.start(ask.id, seq: logged.seq)
        keep(
            TurnRecord(
                turn: id, ask: ask.id, digest: ask.digest, question: ask.question, cause: ask.cause,
                language: ask.language, hintLevel: level, startSeq: logged.seq,
                askedAt: wallTime + Int64(ask.askedAt.wholeMilliseconds)))
        return id
    }

    private mutating func finish(_ end: TurnEnd, of ask: AcceptedAsk) {
        let logged = append(.turnEnd(end))
        asks.end(ask.id, logged)
        keep(logged.seq, end)
    }

    private mutating func grant(_ ask: AcceptedAsk) -> Int {
        ladder.grant(asked: ask.hintLevel, maximum: configuration.maximumHintLevel, now: now)
    }

    /// The ask's focus in the server's convention; nil when it names nothing that is there.
    private func normalized(_ focus: Focus?) -> Focus? {
        switch focus {
        case nil: nil
        case .box(let box): mapper.normalized(box).map(Focus.box)
        case .element(let id): screen.element(id) == nil ? nil : focus
        case .point(let point): mapper.normalized(point).map(Focus.point)
        }
    }
}
