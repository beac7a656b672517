// Observer: keeps the server's picture of the page up to date with as few bytes as possible.
// Anything that may change the page marks it dirty; at most one flush a frame and ten a second walks it and sends the
// difference. Nothing runs while nothing happens, and nothing at all while the page is hidden.

import { screenDelta } from "./delta.js";
import { isOwnPart } from "./names.js";

/** Least time between two flushes, in milliseconds. The server takes 20 deltas a second. */
export const FLUSH_INTERVAL = 100;

const EVENTS = ["input", "change", "click", "focusin", "focusout", "toggle", "load", "transitionend", "animationend"];

export class Observer {
    #walker;
    #send;
    #sent = new Map();
    #sentSize = "";
    #sentFocus = null;
    #focus = null;
    #revision;
    #needsSnapshot = true;
    #isOpen = false;
    #isScheduled = false;
    #timer = 0;
    #flushedAt = -Infinity;
    #stop = new AbortController();
    #observers = [];

    /**
     * @param {{walker: object, send: (message: object) => boolean, revision?: number}} options `revision` is the newest
     *   that an earlier load of the page may have used; ours are above it.
     */
    constructor({ walker, send, revision = 0 }) {
        this.#walker = walker;
        this.#send = send;
        this.#revision = revision;
    }

    /** The newest revision that was sent. */
    get revision() { return this.#revision; }

    /** Where the student's attention is: the element last focused or touched, or null. */
    get focus() { return this.#focus; }

    /** Begins to watch the page. */
    start() {
        const options = { capture: true, passive: true, signal: this.#stop.signal };
        for (const name of EVENTS) document.addEventListener(name, () => this.#schedule(), options);
        document.addEventListener("focusin", (event) => this.#attend(event), options);
        document.addEventListener("pointerdown", (event) => this.#attend(event), options);
        document.addEventListener("scroll", () => this.#schedule(), options);
        window.addEventListener("resize", () => this.#schedule(), options);
        document.addEventListener("visibilitychange", () => this.#schedule(), options);
        document.fonts?.ready.then(() => this.#schedule());
        const mutations = new MutationObserver((records) => {
            if (records.some((record) => !isOurs(record.target))) this.#schedule();
        });
        mutations.observe(this.#walker.root, { subtree: true, childList: true, characterData: true, attributes: true });
        const sizes = new ResizeObserver(() => this.#schedule());
        sizes.observe(this.#walker.root);
        this.#observers = [mutations, sizes];
    }

    /** Ends watching. */
    stop() {
        this.#stop.abort();
        clearTimeout(this.#timer);
        for (const observer of this.#observers) observer.disconnect();
    }

    /** The connection is up; the server has `revision` of the screen (0: none). */
    opened(revision) {
        this.#isOpen = true;
        if (revision !== this.#revision || this.#sent.size === 0) this.#needsSnapshot = true;
        this.flush();
    }

    /** The connection is down; the page is walked again when it is back. */
    closed() {
        this.#isOpen = false;
    }

    /** The server could not follow: the next message is a snapshot, after `delay` milliseconds. */
    resync(delay = 0) {
        this.#needsSnapshot = true;
        if (delay > 0) setTimeout(() => this.#schedule(), delay);
        else this.flush();
    }

    /** Sends what has changed, now. @returns {number} the revision that the server will have */
    flush() {
        this.#isScheduled = false;
        clearTimeout(this.#timer);
        this.#flushedAt = performance.now();
        const elements = this.#walker.collect();
        const size = `${innerWidth}x${innerHeight}`;
        if (!this.#isOpen) return this.#revision;
        const delta = screenDelta(this.#sent, elements);
        const hasNewFocus = this.#focus !== this.#sentFocus && elements.has(this.#focus);
        // The size is only in snapshots, so another size needs one.
        if (this.#needsSnapshot || size !== this.#sentSize || delta.kind === "snapshot") {
            this.#sendSnapshot(elements, size);
        } else if (delta.kind === "delta" || hasNewFocus) {
            const base = this.#revision;
            this.#revision += 1;
            const message = { type: "screen.delta", id: `d${this.#revision}`, base, revision: this.#revision };
            Object.assign(message, delta.operations);
            if (hasNewFocus) message.focus = { element: this.#focus };
            this.#send(message);
            if (delta.result) this.#sent = delta.result;
            if (hasNewFocus) this.#sentFocus = this.#focus;
        }
        return this.#revision;
    }

    #sendSnapshot(elements, size) {
        this.#revision += 1;
        const message = {
            type: "screen.snapshot", id: `s${this.#revision}`, revision: this.#revision,
            size: [innerWidth, innerHeight], title: document.title,
            // Neither query nor fragment: both are known to hold secrets.
            url: location.origin + location.pathname,
            elements: [...elements.values()],
        };
        if (elements.has(this.#focus)) message.focus = { element: this.#focus };
        this.#send(message);
        this.#sent = new Map(elements);
        this.#sentSize = size;
        this.#sentFocus = this.#focus;
        this.#needsSnapshot = false;
    }

    /** Arranges one flush, on a frame, not sooner than the interval allows. */
    #schedule() {
        if (this.#isScheduled || document.hidden) return;
        this.#isScheduled = true;
        const wait = Math.max(0, this.#flushedAt + FLUSH_INTERVAL - performance.now());
        this.#timer = setTimeout(() => requestAnimationFrame(() => {
            if (this.#isScheduled) this.flush();
        }), wait);
    }

    #attend(event) {
        if (isOurs(event.target)) return;
        const id = this.#walker.idAt(event.target);
        if (!id) return;
        this.#focus = id;
        this.#schedule();
    }
}

function isOurs(node) {
    for (let step = node; step; step = step.parentNode) {
        if (step.nodeType === Node.ELEMENT_NODE && isOwnPart(step)) return true;
    }
    return false;
}
