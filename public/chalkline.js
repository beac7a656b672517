// chalkline: the entry. `connect()` puts a tutor on a page: it reads the page's structure, asks, and points.
// The parts do not know each other; this file carries messages between them:
//   page -> Walker -> Observer -> Connection -> server -> Connection -> turn.reduce -> Panel and Overlay.

import { Connection } from "./connection.js";
import { Observer } from "./observer.js";
import { Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { chooseLanguage, otherLanguage, stringsFor } from "./strings.js";
import { currentStep, emptyState, expire, marks, nextExpiry, pointingTurn, reduce, runningTurn } from "./turn.js";
import { Walker } from "./walker.js";

export { backoff } from "./connection.js";

/** The version that `hello` names. */
export const VERSION = "0.1.0";

/** Most questions whose text is kept for a reload of the page. */
const MOST_QUESTIONS = 30;

/**
 * Puts a tutor on the page.
 * @param {object} [options]
 * @param {string} [options.url] address of the server's WebSocket; by default `/v1/ws` where this file came from
 * @param {string} [options.token] a token; `#token=…` in the page's address is taken, and removed from it
 * @param {() => Promise<string>} [options.getToken] fetches a new token when the old one has expired
 * @param {string} [options.lang] language of the panel, `en` or `zh-CN`; by default the browser's
 * @param {Element} [options.root] the part of the page that is shared; by default all of it
 * @param {(language: string) => void} [options.onLanguage] the panel's language, at the start and when it changes
 * @returns {{ask: (text: string) => string, stop: () => void, close: () => void}}
 */
export function connect(options = {}) {
    const store = makeStore();
    const saved = store.load();
    let language = chooseLanguage(options.lang ?? saved.language);
    let state = emptyState;
    let frame = 0;
    let expiry = 0;
    let revealedTurn = null;
    let hasScrolled = false;
    const questions = new Map(saved.questions ?? []);

    const walker = new Walker({ root: options.root ?? document.body });
    const observer = new Observer({
        walker, revision: saved.revision ?? 0, send: (message) => connection.send(message),
    });
    const overlay = new Overlay({
        walker, strings: stringsFor(language),
        onMissed: (turn, element, why) => connection.sendLater({ type: "highlight.missed", turn, element, why }),
    });
    const panel = new Panel({
        strings: stringsFor(language),
        acts: {
            ask, stop, changeLanguage,
            more: (turn) => ask("", turn),
            step: (turn, step, ok) => {
                connection.sendLater({ type: "step.result", turn: turn.turn, step, ok });
                dispatch({ type: "local.step", turn: turn.turn, step, ok });
            },
            reveal: (id) => overlay.reveal(id),
            describe: (id) => walker.describe(id),
            elements: () => (observer.flush(), walker.elements),
            paint: (elements) => overlay.preview(elements),
            reconnect: () => connection.restart(),
            resized: (inset) => {
                overlay.inset = inset;
                document.documentElement.style.setProperty("--chalkline-right", `${inset.right}px`);
                document.documentElement.style.setProperty("--chalkline-bottom", `${inset.bottom}px`);
            },
        },
    });
    const connection = new Connection({
        url: options.url ?? defaultURL(), token: options.token ?? tokenFromAddress(store), getToken: options.getToken,
        hello: { role: "student", client: { name: "chalkline-web", version: VERSION }, locale: language },
        store, onMessage: receive,
        onState: (name, detail) => {
            panel.link = { state: name, code: detail.code ?? null };
            if (name !== "online") observer.closed();
        },
    });

    function receive(message) {
        if (message.type === "welcome") observer.opened(message.screen_revision);
        if (message.type === "screen.resync") observer.resync();
        if (message.type === "error") screenError(message);
        if (message.type === "turn.start" && questions.has(message.re)) showAsked(message.re);
        dispatch(message);
    }

    /** A refused delta leaves the server behind; a refused snapshot would only be refused again. */
    function screenError(message) {
        if (/^d\d+$/.test(message.re) || (!message.re && message.code === "rate_limited")) {
            observer.resync(message.retry_ms ?? 1_000);
        }
    }

    function dispatch(message) {
        state = reduce(state, message, performance.now());
        if (!frame) frame = requestAnimationFrame(render);
    }

    function render() {
        frame = 0;
        state = expire(state, performance.now());
        panel.render(state);
        const drawn = marks(state);
        overlay.show(drawn);
        revealFirst(drawn);
        clearTimeout(expiry);
        const next = nextExpiry(state);
        if (next < Infinity) expiry = setTimeout(render, Math.max(0, next - performance.now()) + 1);
    }

    /** The first thing that a turn points at comes into view, unless the student is scrolling on their own. */
    function revealFirst(drawn) {
        const turn = pointingTurn(state);
        if (drawn.length === 0 || turn.key === revealedTurn) return;
        revealedTurn = turn.key;
        const first = turn.highlights.find((mark) => mark.isLive)?.element ?? currentStep(turn)?.element;
        if (!hasScrolled && !overlay.isInView(first)) overlay.reveal(first);
    }

    function ask(text, of) {
        const revision = observer.flush();
        const fields = of ? { of: of.turn } : { text };
        if (of && /\p{Script=Han}/u.test(of.question || of.text)) fields.language = "zh-CN";
        if (revision > 0) fields.revision = revision;
        if (walker.elements.has(observer.focus)) fields.focus = { element: observer.focus };
        hasScrolled = false;
        const id = connection.ask(fields);
        questions.set(id, text);
        if (questions.size > MOST_QUESTIONS) questions.delete(questions.keys().next().value);
        store.save({ questions: [...questions], revision: observer.revision });
        dispatch({ type: "local.ask", id, text, cause: of ? "hint" : "ask" });
        return id;
    }

    function showAsked(id) {
        if (!state.turns.some((turn) => turn.re === id)) dispatch({ type: "local.ask", id, text: questions.get(id) });
    }

    function stop() {
        const turn = runningTurn(state);
        if (!turn) return false;
        connection.cancel({ turn: turn.turn, ask: turn.re });
        // Nothing will come for a question that the server never got.
        if (turn.turn === null && connection.state !== "online") {
            dispatch({ type: "error", re: turn.re, code: "cancelled" });
        }
        return true;
    }

    function changeLanguage() {
        language = otherLanguage(language);
        store.save({ language });
        overlay.strings = stringsFor(language);
        panel.strings = stringsFor(language);
        options.onLanguage?.(language);
    }

    const stopper = new AbortController();
    listenToKeys(stopper.signal, { stop, closeShare: () => panel.closeShare(), focusAsk: () => panel.focusAsk() });
    for (const name of ["wheel", "touchmove"]) {
        addEventListener(name, () => { hasScrolled = true; }, { passive: true, signal: stopper.signal });
    }
    addEventListener("pagehide", () => store.save({ revision: observer.revision }), { signal: stopper.signal });
    for (const waiting of connection.waitingAsks) {
        dispatch({ type: "local.ask", id: waiting.id, text: waiting.text ?? "", cause: waiting.of ? "hint" : "ask" });
    }
    options.onLanguage?.(language);
    observer.start();
    connection.start();

    return {
        ask, stop,
        close: () => {
            stopper.abort();
            clearTimeout(expiry);
            cancelAnimationFrame(frame);
            observer.stop();
            connection.close();
            overlay.remove();
            panel.remove();
        },
    };
}

/** Escape stops, `/` and Ctrl+Space go to the question. Keys that the page has used itself are left alone. */
function listenToKeys(signal, { stop, closeShare, focusAsk }) {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.isComposing) return;
        const isTyping = event.target.isContentEditable || event.target.matches?.("input,textarea,select");
        const isAskKey = (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey)
            || (event.code === "Space" && event.ctrlKey);
        if (isAskKey) {
            event.preventDefault();
            focusAsk();
        } else if (event.key === "Escape" && !closeShare()) {
            stop();
        }
    }, { signal });
}

function defaultURL() {
    const url = new URL("/v1/ws", import.meta.url);
    url.protocol = url.protocol.replace("http", "ws");
    return url.href;
}

/** A token in the address's fragment never reaches a server's log; it is taken out of the address bar as well. */
function tokenFromAddress(store) {
    const fields = new URLSearchParams(location.hash.slice(1));
    const token = fields.get("token");
    if (!token) return store.load().token;
    fields.delete("token");
    const rest = fields.toString();
    history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
    store.save({ token });
    return token;
}

/** What survives a reload, in this tab only. Where storage is forbidden nothing survives, and all else works. */
function makeStore() {
    const KEY = "chalkline";
    const load = () => {
        try {
            return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
        } catch {
            return {};
        }
    };
    const save = (fields) => {
        try {
            sessionStorage.setItem(KEY, JSON.stringify({ ...load(), ...fields }));
        } catch {
            // Full or forbidden: a reload then begins a new session.
        }
    };
    return { load, save };
}
