// turn: from events to what a person sees. A pure reducer: the same messages in the same order give the same view.
// Spec: docs/protocol.md §2, §5. Times come in as arguments, in milliseconds of one monotonic clock.

/** Most turns kept on show. */
const MOST_TURNS = 30;

/** The state before anything was said. */
export const emptyState = Object.freeze({ session: null, replayTo: 0, turns: [] });

/**
 * Takes one message of the server, or one act of the student (`local.…`), into the state.
 * @param {object} state
 * @param {object} message
 * @param {number} now
 * @returns {object} the new state; the old one is left as it was
 */
export function reduce(state, message, now) {
    switch (message.type) {
    case "local.ask":
        return withTurn(state, newTurn(state, { re: message.id, question: message.text, cause: message.cause }));
    case "local.step":
        return changeStep(state, message, { status: message.ok ? "done" : "cannot" });
    case "welcome":
        return welcome(state, message);
    case "session.snapshot":
        return restore(state, message, now);
    case "turn.start":
        return start(state, message);
    case "turn.state":
        return changeTurn(state, message.turn, (turn) => (turn.isRunning ? { ...turn, state: message.state } : turn));
    case "answer.delta":
        return changeTurn(state, message.turn, (turn) => append(turn, message));
    case "highlight":
        return changeTurn(state, message.turn, (turn) => highlight(turn, message, state.replayTo, now));
    case "highlight.update":
        return changeTurn(state, message.turn, (turn) => moveTarget(turn, message, now));
    case "next_action":
        return changeTurn(state, message.turn, (turn) => addStep(turn, message));
    case "step.observed":
        return changeStep(state, message, message.met ? { status: "done", met: true } : { met: false });
    case "turn.end":
        return end(state, message);
    case "error":
        return fail(state, message);
    default:
        return state;
    }
}

/** The state without the highlights whose time is over. */
export function expire(state, now) {
    if (nextExpiry(state) > now) return state;
    const turns = state.turns.map((turn) => ({
        ...turn, highlights: turn.highlights.map((mark) => (mark.until <= now ? { ...mark, isLive: false } : mark)),
    }));
    return { ...state, turns };
}

/** When the next live highlight dies; Infinity when there is none. */
export function nextExpiry(state) {
    let next = Infinity;
    for (const { highlights } of state.turns) {
        for (const mark of highlights) if (mark.isLive) next = Math.min(next, mark.until);
    }
    return next;
}

/** The turn that is being answered or asked, or undefined. */
export function runningTurn(state) {
    return state.turns.findLast((turn) => turn.isRunning);
}

/** The turn whose marks are on the page: the last that has started; a question that waits leaves them there. */
export function pointingTurn(state) {
    return state.turns.findLast((turn) => turn.turn !== null);
}

/** The step that is on show in a turn: the first that is still open. */
export function currentStep(turn) {
    return turn?.steps.find((step) => step.status === "open");
}

/** What is to be drawn on the page, one mark an element: live highlights, and the current step. */
export function marks(state) {
    const byElement = new Map();
    const turn = pointingTurn(state);
    if (!turn) return [];
    turn.highlights.forEach((mark, index) => {
        if (mark.isLive) byElement.set(mark.element, { ...mark, number: index + 1, turn: turn.turn });
    });
    const step = currentStep(turn);
    if (step && turn.showsSteps) {
        const { element, box } = step;
        const ring = byElement.get(element) ?? { element, box, kind: "box", turn: turn.turn };
        byElement.set(step.element, { ...ring, badge: step.step });
    }
    return [...byElement.values()];
}

function newTurn(state, { turn = null, re = null, question = "", cause = "ask" }) {
    return {
        key: re ?? `${state.session}/${turn}`, session: state.session, turn, re, question, cause, state: "sending",
        text: "", lengths: null, highlights: [], steps: [], showsSteps: true, isRunning: true, status: null,
        reason: null, error: null, hintLevel: null, context: null, dropped: [],
    };
}

function withTurn(state, turn) {
    return { ...state, turns: [...state.turns, turn].slice(-MOST_TURNS) };
}

function changeTurn(state, id, change) {
    const index = state.turns.findLastIndex((turn) => turn.turn === id && turn.session === state.session);
    if (index < 0) return state;
    return { ...state, turns: state.turns.with(index, change(state.turns[index])) };
}

function changeStep(state, { turn: id, step: number }, fields) {
    return changeTurn(state, id, (turn) => ({
        ...turn, steps: turn.steps.map((step) => (step.step === number ? { ...step, ...fields } : step)),
    }));
}

/** A new session has forgotten the turns of the old one: what ran there is cut, and shown as that. */
function welcome(state, message) {
    const replayTo = message.resumed === "replay" ? message.last_seq : 0;
    if (message.resumed !== "new") return { ...state, session: message.session, replayTo };
    const turns = state.turns.map((turn) => {
        // An ask without a turn is sent again and finds its turn in the new session.
        if (turn.turn === null) return { ...turn, session: message.session };
        return turn.isRunning ? finished(turn, { status: "failed", reason: "lost" }) : withoutMarks(turn);
    });
    return { ...state, session: message.session, replayTo, turns };
}

function start(state, message) {
    const turns = state.turns.map(withoutMarks);
    const fields = {
        turn: message.turn, session: state.session, cause: message.cause, state: "thinking",
        hintLevel: message.hint_level, context: message.context ?? null, model: message.model,
        revision: message.revision,
        showsSteps: true,
    };
    const index = message.re ? turns.findLastIndex((turn) => turn.re === message.re) : -1;
    if (index < 0) return withTurn({ ...state, turns }, { ...newTurn(state, message), ...fields });
    return { ...state, turns: turns.with(index, { ...turns[index], ...fields }) };
}

/** Adds text. A merged delta may begin with what is there already: that part is cut off by the length it had then. */
function append(turn, message) {
    const first = message.from_seq ?? message.seq;
    let known = turn.lengths;
    while (known && known.seq >= first) known = known.before;
    const length = known ? known.length : (turn.lengths ? 0 : turn.text.length);
    const text = turn.text + message.text.slice(turn.text.length - length);
    const lengths = { seq: message.seq, length: text.length, before: turn.lengths };
    return { ...turn, text, state: "answering", lengths };
}

/** A replayed highlight may be long dead; those that live are named again by a `highlight.update`. */
function highlight(turn, message, replayTo, now) {
    const mark = {
        element: message.element, box: message.box, kind: message.kind ?? "box", label: message.label ?? null,
        at: message.at, ttl: message.ttl_ms, until: now + message.ttl_ms, isLive: !(message.seq <= replayTo),
    };
    return { ...turn, highlights: [...turn.highlights, mark] };
}

function moveTarget(turn, message, now) {
    const isGone = message.box === null || message.box === undefined;
    const change = (item) => (item.element === message.element ? { ...item, box: message.box ?? item.box } : item);
    const highlights = turn.highlights.map(change).map((mark) => {
        if (mark.element !== message.element) return mark;
        if (isGone) return { ...mark, isLive: false };
        return mark.isLive ? mark : { ...mark, isLive: true, until: now + mark.ttl };
    });
    const steps = turn.steps.map(change).map((step) =>
        (isGone && step.element === message.element && step.status === "open" ? { ...step, isGone: true } : step));
    return { ...turn, highlights, steps };
}

function addStep(turn, message) {
    const step = {
        step: message.step, verb: message.verb, element: message.element, box: message.box, text: message.text ?? "",
        at: message.at, status: "open", met: null,
    };
    return { ...turn, steps: [...turn.steps.filter((other) => other.step !== step.step), step] };
}

function end(state, message) {
    return changeTurn(state, message.turn, (turn) => finished({ ...turn, text: message.answer ?? turn.text }, message));
}

function finished(turn, { status, reason, dropped, usage, summary }) {
    const keepsMarks = status === "done";
    const ended = {
        ...turn, isRunning: false, state: null, status, reason: reason ?? null, dropped: dropped ?? [],
        usage: usage ?? null, summary: summary ?? null, lengths: null,
    };
    return keepsMarks ? ended : withoutMarks(ended);
}

function withoutMarks(turn) {
    const highlights = turn.highlights.map((mark) => (mark.isLive ? { ...mark, isLive: false } : mark));
    return { ...turn, highlights, showsSteps: false };
}

/** An error about an ask that has no turn ends it; any other error is not about turns. */
function fail(state, message) {
    const index = state.turns.findLastIndex((turn) => turn.re === message.re && turn.turn === null && turn.isRunning);
    if (!message.re || index < 0) return state;
    const turn = finished(state.turns[index], { status: "failed", reason: message.code });
    return { ...state, turns: state.turns.with(index, { ...turn, error: message }) };
}

function restore(state, message, now) {
    const past = (message.turns ?? []).map((turn) => ({
        ...newTurn(state, turn), text: turn.answer ?? turn.text ?? "", status: turn.status ?? "done", isRunning: false,
        showsSteps: false,
    }));
    const isKnown = (turn) => state.turns.some((other) => other.session === state.session && other.turn === turn.turn);
    let next = { ...state, turns: [...past.filter((turn) => !isKnown(turn)), ...state.turns] };
    const current = message.turn;
    if (!current) return next;
    const known = next.turns.find((turn) => turn.turn === current.turn && turn.session === state.session);
    if (!known) next = withTurn(next, { ...newTurn(next, current), state: "answering" });
    return changeTurn(next, current.turn, (turn) => {
        const bare = { ...turn, text: current.text ?? "", lengths: null, highlights: [], steps: [] };
        const marked = (current.highlights ?? []).reduce((to, item) => highlight(to, item, 0, now), bare);
        return (current.next_actions ?? []).reduce(addStep, marked);
    });
}
