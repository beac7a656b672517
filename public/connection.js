// Connection: one WebSocket that comes back by itself and goes on where it was.
// Spec: docs/protocol.md §1-§3. It knows the envelope (ids, seq, resume, close codes), not turns or screens.

/** The longest first wait and the longest wait at all, in milliseconds. */
const BASE = 300;
const CAP = 15_000;

/** How long a connection must have lasted before its next loss counts as the first one again, in milliseconds. */
const STABLE = 30_000;

/** How long opening or a probe may take, in milliseconds. */
const OPEN_TIMEOUT = 10_000;
const PROBE_TIMEOUT = 5_000;

/** Most messages and questions kept for when the connection is back. */
const MOST_WAITING = 32;

/** Close codes after which a client connects again; every other one says that trying again is of no use. */
const RECONNECT = new Set([1001, 1005, 1006, 1011, 1012, 4000, 4408, 4409, 4412]);

/**
 * How long to wait before a reconnect, in milliseconds: full jitter over 300 ms, doubled each time, at most 15 s.
 * Full jitter, because a school's clients all lose their server in the same moment.
 * @param {number} attempt failures before this one, from 0
 * @param {() => number} [random] uniform in [0, 1)
 */
export function backoff(attempt, random = Math.random) {
    return random() * Math.min(CAP, BASE * 2 ** attempt);
}

/** What a client does after a close code: `reconnect`, `token` (get a new token first) or `stop`. */
export function closeDuty(code) {
    if (code === 4501) return "token";
    return RECONNECT.has(code) ? "reconnect" : "stop";
}

export class Connection {
    #options;
    #socket = null;
    #state = "idle";
    #attempt = 0;
    #openedAt = 0;
    #timer = 0;
    #deadline = 0;
    #count = 0;
    #seq = 0;
    #resume;
    #bye = null;
    #asks;
    #outbox = [];
    #stop = new AbortController();

    /**
     * @param {object} options
     * @param {string} options.url the WebSocket address
     * @param {string} [options.token] sent as a second subprotocol, never in the address
     * @param {() => Promise<string>} [options.getToken] asked when the server no longer takes the old one
     * @param {object} options.hello fields of `hello` beside its type and `resume`
     * @param {{load: () => object, save: (record: object) => void}} options.store survives a reload of the page
     * @param {(message: object) => void} options.onMessage every message, without events that it already had
     * @param {(state: string, detail?: object) => void} options.onState `connecting`, `online`, `waiting`, `stopped`
     */
    constructor(options) {
        this.#options = options;
        const stored = options.store.load();
        // A reload has lost the text, so it asks for the whole log: seq 0, not the seq that it once had.
        this.#resume = stored.resume ?? null;
        this.#asks = new Map((stored.asks ?? []).map((ask) => [ask.id, ask]));
    }

    get state() { return this.#state; }

    /** Questions that the server has not begun to answer, oldest first. */
    get waitingAsks() { return [...this.#asks.values()]; }

    /** Connects, now and whenever the connection is lost. */
    start() {
        const options = { signal: this.#stop.signal };
        window.addEventListener("online", () => this.#wake(), options);
        document.addEventListener("visibilitychange", () => document.hidden || this.#wake(), options);
        this.#open();
    }

    /** Connects again after the server, or another tab, had ended it. */
    restart() {
        if (this.#state === "stopped" || this.#state === "waiting") this.#open();
    }

    /** Closes for good; a running turn ends at once. */
    close() {
        this.#stop.abort();
        clearTimeout(this.#timer);
        clearTimeout(this.#deadline);
        const socket = this.#socket;
        this.#socket = null;
        socket?.close(1000);
        this.#setState("stopped", { code: 1000 });
    }

    /** Sends a message if the connection is up. @returns {boolean} whether it was sent */
    send(message) {
        if (this.#state !== "online") return false;
        this.#socket.send(JSON.stringify(message));
        return true;
    }

    /** Sends a message now, or when the connection is back. For what must not be lost and may come late. */
    sendLater(message) {
        this.#count += 1;
        const named = { ...message, id: `c${this.#count}` };
        if (!this.send(named) && this.#outbox.length < MOST_WAITING) this.#outbox.push(named);
    }

    /** Asks; the question is sent again after a reconnect until its turn has started. @returns {string} its id */
    ask(fields) {
        const ask = { type: "ask", id: `q-${randomID()}`, ...fields };
        this.#asks.set(ask.id, ask);
        while (this.#asks.size > MOST_WAITING) this.#asks.delete(this.#asks.keys().next().value);
        this.#save();
        if (!this.send(ask)) this.restart();
        return ask.id;
    }

    /** Cancels a turn or, before it has one, an ask. */
    cancel({ turn, ask }) {
        if (this.#asks.delete(ask)) this.#save();
        this.sendLater(turn ? { type: "cancel", turn } : { type: "cancel", ask });
    }

    #open() {
        clearTimeout(this.#timer);
        clearTimeout(this.#deadline);
        this.#setState("connecting");
        const { url, token } = this.#options;
        const socket = new WebSocket(url, token ? ["chalkline.v1", `bearer.${token}`] : ["chalkline.v1"]);
        this.#socket = socket;
        this.#bye = null;
        socket.onopen = () => socket.send(JSON.stringify(this.#hello()));
        socket.onmessage = ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data));
        socket.onclose = ({ code }) => socket === this.#socket && this.#closed(code);
        this.#deadline = setTimeout(() => this.#lose(), OPEN_TIMEOUT);
    }

    #hello() {
        const hello = { type: "hello", id: "hello", ...this.#options.hello };
        if (this.#resume) hello.resume = { ...this.#resume, seq: this.#seq };
        return hello;
    }

    #receive(message) {
        if (message.type !== "welcome" && this.#state !== "online" && message.type !== "error") return;
        clearTimeout(this.#deadline);
        if (message.type === "welcome") return this.#welcome(message);
        if (message.type === "bye") this.#bye = message;
        if (message.type === "session.snapshot") this.#seq = message.last_seq;
        if (Number.isInteger(message.seq)) {
            if (message.seq <= this.#seq) return;
            if ((message.from_seq ?? message.seq) > this.#seq + 1) return this.#lose();
            this.#seq = message.seq;
        }
        const isAnswer = message.type === "turn.start" || message.type === "turn.end" || message.type === "error";
        if (isAnswer && this.#asks.delete(message.re)) this.#save();
        this.#options.onMessage(message);
    }

    #welcome(message) {
        this.#resume = { session: message.session, key: message.key, epoch: message.epoch };
        if (message.resumed === "new") this.#seq = 0;
        this.#openedAt = performance.now();
        this.#save();
        this.#setState("online");
        // The receiver sends its screen here, before the questions about it.
        this.#options.onMessage(message);
        for (const waiting of [...this.#asks.values(), ...this.#outbox.splice(0)]) this.send(waiting);
    }

    #closed(code) {
        clearTimeout(this.#deadline);
        this.#socket = null;
        // A `bye` says why even where the close code itself got lost; two tabs must not push each other out for ever.
        if (this.#bye?.reason === "replaced") code = 4505;
        const duty = closeDuty(code);
        const wasStable = this.#state === "online" && performance.now() - this.#openedAt >= STABLE;
        if (wasStable) this.#attempt = 0;
        if (duty === "token" && this.#options.getToken) return this.#renewToken();
        if (duty !== "reconnect") return this.#setState("stopped", { code });
        const wait = this.#bye ? this.#bye.in_ms : backoff(this.#attempt);
        this.#attempt += 1;
        this.#setState("waiting", { wait });
        this.#timer = setTimeout(() => this.#open(), wait);
    }

    async #renewToken() {
        this.#setState("connecting");
        try {
            this.#options.token = await this.#options.getToken();
            this.#open();
        } catch {
            this.#setState("stopped", { code: 4501 });
        }
    }

    /** Gives the socket up without a close code that would end the turn. */
    #lose() {
        const socket = this.#socket;
        if (!socket) return;
        this.#closed(1006);
        socket.close(4000);
    }

    /** The network or the page is back: try at once when waiting, else see whether the socket still lives. */
    #wake() {
        if (this.#state === "waiting" && !this.#bye) {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.#open(), backoff(0));
        } else if (this.send({ type: "ping", t: Math.round(performance.now()) })) {
            clearTimeout(this.#deadline);
            this.#deadline = setTimeout(() => this.#lose(), PROBE_TIMEOUT);
        }
    }

    #save() {
        this.#options.store.save({ resume: this.#resume, asks: this.waitingAsks });
    }

    #setState(state, detail = {}) {
        this.#state = state;
        this.#options.onState(state, detail);
    }
}

function randomID() {
    return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}
