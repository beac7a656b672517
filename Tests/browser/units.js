// units: tests of the page's modules that need no server, run in the browser by test_units.py.
// Each test is a function named as a sentence; it throws when the sentence is not true.

import { backoff, closeDuty, Connection } from "/connection.js";
import { MOST_OPERATIONS, screenDelta } from "/delta.js";
import { MARKER, MarkdownView, parseBlocks } from "/markdown.js";
import { cut } from "/names.js";
import { chooseLanguage, stringsFor } from "/strings.js";
import { currentStep, emptyState, expire, marks, nextExpiry, reduce, runningTurn } from "/turn.js";
import { MOST_ELEMENTS, Walker, nearestToViewport } from "/walker.js";

function equal(actual, expected, what = "") {
    const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (a !== b) throw new Error(`${what} got ${a}, expected ${b}`);
}

/** Random numbers with a seed, so that a failure can be seen again. */
function generator(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
    };
}

function screen(...elements) {
    return new Map(elements.map(([id, type, content, box, more]) => [id, { id, type, content, box, ...more }]));
}

/** The server's side of a delta, in the order of the protocol: remove, add, update, move. */
function applied(before, { remove = [], add = [], update = [], move = [] }) {
    const result = new Map([...before].map(([id, element]) => [id, structuredClone(element)]));
    for (const id of remove) if (!result.delete(id)) throw new Error(`remove of unknown ${id}`);
    for (const element of add) {
        if (result.has(element.id)) throw new Error(`add of known ${element.id}`);
        result.set(element.id, structuredClone(element));
    }
    for (const { id, ...fields } of update) {
        for (const [name, value] of Object.entries(fields)) {
            if (value === null) delete result.get(id)[name];
            else result.get(id)[name] = value;
        }
    }
    for (const { by, ids } of move) {
        for (const id of ids === "all" ? result.keys() : ids) {
            const { box } = result.get(id);
            result.get(id).box = [box[0] + by[0], box[1] + by[1], box[2], box[3]];
        }
    }
    return result;
}

function sameScreens(a, b) {
    equal([...a.keys()].sort(), [...b.keys()].sort(), "ids");
    for (const [id, element] of a) {
        const { box, ...fields } = element;
        const { box: otherBox, ...otherFields } = b.get(id);
        const sorted = (object) => Object.entries(object).filter(([, value]) => value !== undefined).sort();
        equal(sorted(fields), sorted(otherFields), id);
        box.forEach((value, index) => {
            if (Math.abs(value - otherBox[index]) > 3e-4) throw new Error(`${id} box ${box} is not ${otherBox}`);
        });
    }
}

function play(messages, state = emptyState, now = 0) {
    return messages.reduce((to, message) => reduce(to, message, now), state);
}

const WELCOME = {
    type: "welcome", session: "s_1", key: "k", epoch: "e", resumed: "new", last_seq: 0, screen_revision: 0,
};
const START = { type: "turn.start", seq: 1, turn: "t1", cause: "ask", re: "q1", hint_level: 2 };
const delta = (seq, text, from) =>
    ({ type: "answer.delta", seq, turn: "t1", text, ...(from ? { from_seq: from } : {}) });
const ring = (seq, element, ttl = 5_000) =>
    ({ type: "highlight", seq, turn: "t1", at: 0, element, box: [0, 0, 1, 1], revision: 1, kind: "box", ttl_ms: ttl });

export const tests = {
    backoffIsFullJitterUpToFifteenSeconds() {
        const random = generator(7);
        for (let attempt = 0; attempt < 40; attempt += 1) {
            const most = Math.min(15_000, 300 * 2 ** attempt);
            const waits = Array.from({ length: 400 }, () => backoff(attempt, random));
            if (waits.some((wait) => wait < 0 || wait > most)) throw new Error(`attempt ${attempt} is out of range`);
            const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
            if (Math.abs(mean - most / 2) > most * 0.1) throw new Error(`attempt ${attempt}: mean ${mean} of ${most}`);
        }
        equal([backoff(0, () => 0), backoff(3, () => 0.5), backoff(99, () => 1)], [0, 1_200, 15_000]);
    },

    closeCodesSayWhatAClientDoes() {
        const duties = {
            1000: "stop", 1001: "reconnect", 1002: "stop", 1003: "stop", 1006: "reconnect", 1007: "stop", 1008: "stop",
            1009: "stop", 1011: "reconnect", 1012: "reconnect", 4408: "reconnect", 4409: "reconnect", 4412: "reconnect",
            4501: "token", 4503: "stop", 4504: "stop", 4505: "stop",
        };
        for (const [code, duty] of Object.entries(duties)) equal(closeDuty(Number(code)), duty, code);
    },

    anUnchangedScreenSendsNothing() {
        const before = screen(["a", "text", "x", [0, 0, 0.1, 0.1]]);
        equal(screenDelta(before, structuredClone(before)).kind, "none");
    },

    aKeystrokeIsOneSmallUpdate() {
        const before = screen(["a", "input", "", [0, 0, 0.1, 0.1]], ["b", "text", "x", [0, 0.5, 0.1, 0.1]]);
        const after = screen(["a", "input", "5", [0, 0, 0.1, 0.1]], ["b", "text", "x", [0, 0.5, 0.1, 0.1]]);
        equal(screenDelta(before, after).operations, { update: [{ id: "a", content: "5" }] });
    },

    aScrollIsOneMoveOfAll() {
        const boxes = [[0, 0.1], [0, 0.3], [0.5, 0.8]];
        const at = (shift) =>
            screen(...boxes.map(([x, y], index) => [`e${index}`, "text", "x", [x, y + shift, 0.1, 0.1]]));
        equal(screenDelta(at(0), at(-0.2)).operations, { move: [{ by: [0, -0.2], ids: "all" }] });
    },

    whatDoesNotScrollStaysWhereItIs() {
        const before = screen(["bar", "heading", "x", [0, 0, 1, 0.1]], ["a", "text", "a", [0, 0.3, 1, 0.1]],
            ["b", "text", "b", [0, 0.5, 1, 0.1]]);
        const after = screen(["bar", "heading", "x", [0, 0, 1, 0.1]], ["a", "text", "a", [0, 0.1, 1, 0.1]],
            ["b", "text", "b", [0, 0.3, 1, 0.1]], ["new", "text", "n", [0, 0.5, 1, 0.1]]);
        const { operations } = screenDelta(before, after);
        equal(operations.move[0].ids, "all");
        sameScreens(applied(before, operations), after);
    },

    aFieldThatIsGoneIsNull() {
        const before = screen(["a", "input", "", [0, 0, 1, 1], { state: ["invalid"], label: "Name" }]);
        const after = screen(["a", "input", "", [0, 0, 1, 1], { label: "Name" }]);
        equal(screenDelta(before, after).operations, { update: [{ id: "a", state: null }] });
    },

    anotherTypeIsAnotherElement() {
        const box = [0, 0, 1, 1];
        const before = screen(["a", "text", "x", box], ["b", "text", "y", box], ["c", "text", "z", box]);
        const after = structuredClone(before);
        after.get("a").type = "error";
        const { operations } = screenDelta(before, after);
        equal([operations.remove, operations.add.length], [["a"], 1]);
    },

    aNewPageIsASnapshot() {
        const named = (prefix) => (_, index) => [`${prefix}${index}`, "text", "x", [0, 0, 1, 1]];
        const many = (prefix, count) => screen(...Array.from({ length: count }, named(prefix)));
        equal(screenDelta(many("a", 20), many("b", 20)).kind, "snapshot");
        equal(screenDelta(many("a", MOST_OPERATIONS * 2), many("a", MOST_OPERATIONS - 1)).kind, "snapshot");
    },

    randomDeltasLeaveTheServerWithTheSameScreen() {
        const seed = Math.floor(Math.random() * 1e9);
        const random = generator(seed);
        const pick = (count) => Math.floor(random() * count);
        let known = new Map();
        let now = new Map();
        for (let step = 0; step < 3_000; step += 1) {
            now = new Map([...now].map(([id, element]) => [id, structuredClone(element)]));
            const ids = [...now.keys()];
            const shift = pick(3) === 0 ? [random() - 0.5, random() - 0.5] : [0, 0];
            for (const id of ids) {
                const { box } = now.get(id);
                if (pick(9) > 0) now.get(id).box = [box[0] + shift[0], box[1] + shift[1], box[2], box[3]];
                if (pick(12) === 0) now.get(id).content = `c${step}`;
                if (pick(20) === 0) now.get(id).state = pick(2) ? ["checked"] : undefined;
                if (pick(25) === 0) now.delete(id);
            }
            for (let count = pick(3); count > 0 && now.size < 40; count -= 1) {
                const id = `e${pick(60)}`;
                const box = [random(), random(), 0.1, 0.1];
                if (!now.has(id)) now.set(id, { id, type: pick(2) ? "text" : "input", content: "n", box });
            }
            const made = screenDelta(known, now);
            try {
                if (made.kind === "delta") {
                    sameScreens(applied(known, made.operations), now);
                    sameScreens(applied(known, made.operations), made.result);
                    known = made.result;
                } else if (made.kind === "snapshot") {
                    known = now;
                } else {
                    sameScreens(known, now);
                }
            } catch (error) {
                throw new Error(`seed ${seed}, step ${step}: ${error.message}`);
            }
        }
    },

    aTurnGrowsFromItsEvents() {
        const asked = { type: "local.ask", id: "q1", text: "Why?" };
        const state = play([WELCOME, asked, START, delta(2, "Look "), ring(3, "l3"), delta(4, "here.")]);
        const [turn] = state.turns;
        equal([turn.question, turn.text, turn.isRunning, turn.hintLevel], ["Why?", "Look here.", true, 2]);
        equal(marks(state).map((mark) => mark.element), ["l3"]);
        equal(runningTurn(state).turn, "t1");
    },

    aMergedDeltaDoesNotDoubleWhatIsThere() {
        const state = play([WELCOME, START, delta(2, "ab"), delta(3, "cd"), delta(5, "cdefgh", 3)]);
        equal(state.turns[0].text, "abcdefgh");
    },

    turnEndHoldsTheWholeAnswer() {
        const end = { type: "turn.end", seq: 3, turn: "t1", re: "q1", status: "done", answer: "abc" };
        const state = play([WELCOME, START, delta(2, "ab"), end]);
        equal([state.turns[0].text, state.turns[0].status, runningTurn(state)], ["abc", "done", undefined]);
    },

    ringsDieByTimeByUpdateAndByTheNextTurn() {
        const alive = play([WELCOME, START, ring(2, "a", 100), ring(3, "b", 300)], emptyState, 1_000);
        equal(nextExpiry(alive), 1_100);
        equal(marks(expire(alive, 1_100)).map((mark) => mark.element), ["b"]);
        const gone = { type: "highlight.update", turn: "t1", element: "b", box: null, revision: 2 };
        const updated = reduce(alive, gone, 1_000);
        equal(marks(updated).map((mark) => mark.element), ["a"]);
        const next = reduce(alive, { ...START, seq: 4, turn: "t2", re: "q2" }, 1_000);
        equal(marks(next), []);
        equal(nextExpiry(next), Infinity);
    },

    aWaitingQuestionLeavesTheRingsInPlace() {
        const state = play([WELCOME, START, ring(2, "a"), { type: "local.ask", id: "q2", text: "And now?" }]);
        equal(marks(state).map((mark) => mark.element), ["a"]);
    },

    replayedRingsLiveOnlyWhenTheServerSaysSo() {
        const again = { ...WELCOME, resumed: "replay", last_seq: 3 };
        const replayed = play([again, START, ring(2, "a"), ring(3, "b")]);
        equal(marks(replayed), []);
        const update = { type: "highlight.update", turn: "t1", element: "b", box: [0, 0.5, 1, 0.1], revision: 2 };
        const named = reduce(replayed, update, 0);
        equal(marks(named).map((mark) => [mark.element, mark.box[1]]), [["b", 0.5]]);
    },

    aNewSessionCutsWhatWasRunning() {
        const state = play([WELCOME, START, delta(2, "half"), { ...WELCOME, session: "s_2", why: "unknown" }]);
        equal([state.turns[0].text, state.turns[0].status, state.turns[0].reason], ["half", "failed", "lost"]);
        const next = play([{ type: "local.ask", id: "q9", text: "?" }, { ...START, re: "q9" }, delta(2, "new")], state);
        equal(next.turns.map((turn) => turn.text), ["half", "new"]);
    },

    stepsComeOneAtATime() {
        const step = (seq, number) => ({
            type: "next_action", seq, turn: "t1", at: 0, step: number, verb: "type", element: `e${number}`,
            box: [0, 0, 1, 1],
        });
        const state = play([WELCOME, START, step(2, 1), step(3, 2)]);
        equal(currentStep(state.turns[0]).step, 1);
        equal(marks(state).map((mark) => [mark.element, mark.badge]), [["e1", 1]]);
        const second = reduce(state, { type: "local.step", turn: "t1", step: 1, ok: true }, 0);
        equal(marks(second).map((mark) => mark.element), ["e2"]);
        const seen = reduce(second, { type: "step.observed", turn: "t1", step: 2, met: true }, 0);
        equal([currentStep(seen.turns[0]), marks(seen)], [undefined, []]);
    },

    anErrorEndsItsAskOnly() {
        const asked = play([WELCOME, { type: "local.ask", id: "q1", text: "?" }]);
        equal(reduce(asked, { type: "error", re: "other", code: "busy" }, 0).turns[0].isRunning, true);
        const failed = reduce(asked, { type: "error", re: "q1", code: "busy" }, 0).turns[0];
        equal([failed.isRunning, failed.reason], [false, "busy"]);
    },

    aSessionSnapshotRebuildsTheRunningTurn() {
        const state = play([{ ...WELCOME, resumed: "snapshot", last_seq: 9 }, {
            type: "session.snapshot", last_seq: 9,
            turn: { turn: "t3", text: "so far", highlights: [ring(8, "a")], next_actions: [] },
            turns: [{ turn: "t2", answer: "before", status: "done" }],
        }, { ...delta(10, " on"), turn: "t3" }]);
        equal(state.turns.map((turn) => turn.text), ["before", "so far on"]);
        equal(marks(state).map((mark) => mark.element), ["a"]);
    },

    markdownBecomesNodes() {
        const cases = [
            ["one\n\ntwo", "<p>one</p><p>two</p>"],
            ["a **b** *c* `d*e*`", "<p>a <strong>b</strong> <em>c</em> <code>d*e*</code></p>"],
            ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
            ["1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"],
            ["3) c", '<ol start="3"><li>c</li></ol>'],
            ["```swift\nlet **x**\n```\nend", "<pre><code>let **x**</code></pre><p>end</p>"],
            ["$x + 1$", '<p><span class="ck-math"><i>x</i> + 1</span></p>'],
            ["costs $5 and $6", "<p>costs $5 and $6</p>"],
            ["$$x$$", '<p class="ck-math-block"><span class="ck-math"><i>x</i></span></p>'],
            ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
            ["**open", "<p>**open</p>"],
            ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
            ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
        ];
        for (const [text, html] of cases) {
            const box = document.createElement("div");
            new MarkdownView(box).update(text, true);
            equal(box.innerHTML, html, text);
        }
    },

    streamedMarkdownEndsAsIfItCameWhole() {
        const text = "Look at **line 3**: $3x = 6$.\n\n- What is *left*?\n- What is right?\n\n1. First\n2. Then\n\n"
            + "```\ncode\n\nmore\n```\n## Head\nlast `x` line\n\n$$a-b$$\nend";
        const whole = document.createElement("div");
        new MarkdownView(whole).update(text, true);
        for (const size of [1, 2, 3, 7]) {
            const box = document.createElement("div");
            const view = new MarkdownView(box);
            for (let end = size; end < text.length; end += size) view.update(text.slice(0, end), false);
            view.update(text, true);
            equal(box.innerHTML, whole.innerHTML, `pieces of ${size}`);
        }
    },

    finishedBlocksKeepTheirNodes() {
        const box = document.createElement("div");
        const view = new MarkdownView(box);
        view.update("one\n\ntwo\n\nthr", false);
        const first = box.firstChild;
        view.update("one\n\ntwo\n\nthree and more\n", false);
        if (box.firstChild !== first) throw new Error("the first paragraph was built again");
    },

    anOpenEmphasisIsShownWhileItStreams() {
        const box = document.createElement("div");
        new MarkdownView(box).update("see **this", false);
        equal(box.innerHTML, "<p>see <strong>this</strong></p>");
    },

    markersAreCountedOverAllBlocks() {
        const box = document.createElement("div");
        const seen = new Set();
        const view = new MarkdownView(box, (index) => document.createTextNode((seen.add(index), `#${index}`)));
        const text = `a${MARKER}\n\nb **c${MARKER}**\n\n- d${MARKER}`;
        for (let end = 1; end <= text.length; end += 1) view.update(text.slice(0, end), end === text.length);
        equal([box.textContent, [...seen]], ["a#0b c#1d#2", [0, 1, 2]]);
    },

    longHostileMarkdownIsReadInTime() {
        for (const part of ["$", "**a", "`", "- ", "*a "]) {
            const text = part.repeat(20_000 / part.length);
            const began = performance.now();
            new MarkdownView(document.createElement("div")).update(text, true);
            const took = performance.now() - began;
            if (took > 1_000) throw new Error(`${text.slice(0, 4)}… took ${Math.round(took)} ms`);
        }
    },

    blocksKnowWhereTheyBegin() {
        const text = "a\n\n- b\n- c\n\nd";
        equal(parseBlocks(text).map((block) => text.slice(block.start, block.start + 1)), ["a", "-", "d"]);
    },

    textsAreCutBetweenCharacters() {
        equal(cut("年级年级", 7), "年级");
        equal(cut("a😀b", 4), "a");
        equal(cut("abc", 100), "abc");
    },

    languagesAreChosen() {
        const chosen = [["zh", ["en"]], [undefined, ["fr", "zh-TW", "en"]], [undefined, ["fr"]]];
        equal(chosen.map(([setting, preferred]) => chooseLanguage(setting, preferred)), ["zh-CN", "zh-CN", "en"]);
        const isTable = (value) => typeof value === "object" && !Array.isArray(value);
        const shape = (value) => (isTable(value) ? Object.keys(value).sort() : typeof value);
        const [en, zh] = [stringsFor("en"), stringsFor("zh-CN")];
        equal(Object.keys(en).sort(), Object.keys(zh).sort());
        for (const key of Object.keys(en)) if (key !== "kinds") equal(shape(en[key]), shape(zh[key]), key);
    },

    theWalkerReadsRolesNamesAndStates() {
        const found = walk((make) => [
            make("h2", {}, "Title"), make("label", { for: "w1" }, "Name"),
            make("input", {
                "id": "w1", "placeholder": "e.g.", "aria-invalid": "true", "aria-errormessage": "w2",
                "data-chalkline-id": "name",
            }),
            make("p", { id: "w2" }, "Name is missing"), make("button", { disabled: "" }, "Send"),
            make("input", {
                "data-chalkline-type": "math", "data-chalkline-line": "2", "value": "x = 2", "aria-label": "Line 2",
            }),
            make("div", { role: "checkbox", "aria-checked": "true" }, "Agree"),
            make("p", {}, "Plain ", make("b", {}, "text")), make("a", { href: "#x" }, "Link"),
        ]);
        equal(found.map(({ type, content, label, state, line }) => [type, content, label, state, line]), [
            ["heading", "Title", null, null, null], ["input", "", "Name", ["invalid"], null],
            ["error", "Name is missing", null, null, null], ["button", "Send", null, ["disabled"], null],
            ["math", "x = 2", "Line 2", null, 2], ["checkbox", "Agree", null, ["checked"], null],
            ["text", "Plain text", null, null, null], ["link", "Link", null, null, null],
        ]);
        equal([found[1].id, found[1].placeholder], ["name", "e.g."]);
    },

    secretsNeverLeaveThePage() {
        const secret = "S3CRET";
        const found = walk((make) => [
            make("input", { type: "password", value: secret }),
            make("input", { autocomplete: "cc-number", value: secret }),
            make("input", { type: "email", value: secret }), make("input", { type: "tel", value: secret }),
            make("div", { "data-chalkline": "block" }, secret), make("p", { "data-chalkline": "mask" }, secret),
            make("input", { "data-chalkline": "ignore", "value": secret, "aria-label": "Note" }),
            make("p", {}, "Hello ", make("span", { "data-chalkline": "block" }, secret)),
            make("p", {}, "Hello ", make("span", { "data-chalkline": "mask" }, secret)),
            make("button", {}, "Pay ", make("i", { "data-chalkline": "mask" }, secret)),
            make("p", { hidden: "" }, secret), make("p", { "aria-hidden": "true" }, secret),
            make("div", { "data-chalkline-part": "panel" }, make("p", {}, secret)),
            make("section", { "data-chalkline": "mask" },
                make("label", {}, secret, make("input", { value: secret, placeholder: secret }))),
            make("div", { "data-chalkline": "block", "id": "w9" }, secret), make("input", { "aria-labelledby": "w9" }),
        ]);
        if (JSON.stringify(found).includes(secret)) throw new Error(JSON.stringify(found));
        equal(found.filter((element) => element.content === "•••" && element.type === "input").length, 3);
    },

    idsStayWithTheirNodes() {
        const root = document.createElement("div");
        const items = ["a", "b", "c"].map((text) => Object.assign(document.createElement("p"), { textContent: text }));
        root.append(...items);
        document.body.append(root);
        const walker = new Walker({ root });
        const before = [...walker.collect().values()].map(({ id, content }) => [content, id]);
        root.prepend(items[2]);
        const after = [...walker.collect().values()].map(({ id, content }) => [content, id]);
        equal(after.sort(), [...before].sort());
        items[0].remove();
        walker.collect();
        equal(walker.node(before[0][1]), null);
        root.remove();
    },

    aScreenFitsIntoAMessage() {
        const element = (index, content) => ({ id: `nabc-${index}`, type: "text", content, box: [0.1, index, 1, 1] });
        for (const content of ["", "a\"\n".repeat(600), "\u4e2d".repeat(600)]) {
            const found = Array.from({ length: 1_900 }, (_, index) => element(index, content));
            const kept = nearestToViewport(found);
            const bytes = new TextEncoder().encode(JSON.stringify(kept)).length;
            if (bytes > 255_000) throw new Error(`${kept.length} elements of ${bytes} bytes`);
            if (kept.length > MOST_ELEMENTS || kept.length < 50) throw new Error(`kept ${kept.length}`);
            equal(kept[0].id, "nabc-0", "the nearest stays");
        }
        equal(nearestToViewport([element(0, "a")]).length, 1);
    },

    idsThatAPageGivesTwiceAreToldApart() {
        const found = walk((make) => [
            make("p", { "data-chalkline-id": "x" }, "one"), make("p", { "data-chalkline-id": "x" }, "two"),
            make("p", { "data-chalkline-id": "not valid!" }, "three"),
        ]);
        equal([found[0].id, new Set(found.map((element) => element.id)).size], ["x", 3]);
    },

    async aLostQuestionIsAskedAgainWithTheSameId() {
        const server = new FakeSockets();
        const seen = [];
        const connection = server.connect((message) => seen.push(message.type));
        await server.opened();
        server.say({ ...WELCOME });
        const id = connection.ask({ text: "Why?" });
        server.drop(1006);
        await server.opened();
        equal(server.sent().map((message) => message.type), ["hello"]);
        equal(server.sent()[0].resume, { session: "s_1", key: "k", epoch: "e", seq: 0 });
        server.say({ ...WELCOME, resumed: "replay" });
        equal(server.sent().map((message) => [message.type, message.id]), [["hello", "hello"], ["ask", id]]);
        server.say({ ...START, re: id });
        server.drop(1011);
        await server.opened();
        server.say({ ...WELCOME, resumed: "replay", last_seq: 1 });
        equal(server.sent().map((message) => message.type), ["hello"]);
        equal(server.sent()[0].resume.seq, 1);
        connection.close();
        server.restore();
    },

    async eventsComeOnceAndAGapIsNeverPassedOver() {
        const server = new FakeSockets();
        const seen = [];
        const connection = server.connect((message) => message.seq && seen.push(message.seq));
        await server.opened();
        server.say(WELCOME);
        for (const message of [START, delta(2, "a"), delta(2, "a"), delta(5, "b", 3), START]) server.say(message);
        equal(seen, [1, 2, 5]);
        const before = server.sockets.length;
        server.say(delta(9, "lost"));
        equal(seen, [1, 2, 5]);
        await server.opened(before);
        equal(server.sent()[0].resume.seq, 5);
        connection.close();
        server.restore();
    },

    async aReplacedTabStaysAway() {
        const server = new FakeSockets();
        const states = [];
        const connection = server.connect(() => {}, (state, detail) => states.push([state, detail.code]));
        await server.opened();
        server.say(WELCOME);
        server.say({ type: "bye", reason: "replaced", in_ms: 0, resumable: false });
        server.drop(4505);
        await new Promise((resolve) => setTimeout(resolve, 700));
        equal([states.at(-1), server.sockets.length], [["stopped", 4505], 1]);
        connection.close();
        server.restore();
    },
};

/** Builds a page in a container, walks it and takes it away again. */
function walk(build) {
    const make = (tag, attributes, ...children) => {
        const node = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
        node.append(...children);
        return node;
    };
    const root = document.createElement("div");
    root.append(...build(make));
    document.body.append(root);
    const found = [...new Walker({ root }).collect().values()];
    root.remove();
    return found;
}

/** Stands in for the browser's WebSocket: what was sent is kept, and the test speaks as the server. */
class FakeSockets {
    sockets = [];
    #original = window.WebSocket;

    constructor() {
        const { sockets } = this;
        window.WebSocket = class {
            constructor(url, protocols) {
                Object.assign(this, { url, protocols, messages: [] });
                sockets.push(this);
                setTimeout(() => this.onopen?.(), 0);
            }
            send(text) { this.messages.push(JSON.parse(text)); }
            close() {}
        };
    }

    connect(onMessage, onState = () => {}) {
        let record = {};
        const store = { load: () => record, save: (fields) => { record = { ...record, ...fields }; } };
        const connection = new Connection({ url: "ws://test", hello: { role: "student" }, store, onMessage, onState });
        connection.start();
        return connection;
    }

    async opened(after = this.opens ?? 0) {
        for (let tries = 0; tries < 400; tries += 1) {
            if (this.sockets.length > after && this.sockets.at(-1).messages.length > 0) {
                this.opens = this.sockets.length;
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        throw new Error("no new socket");
    }

    say(message) { this.sockets.at(-1).onmessage({ data: JSON.stringify(message) }); }
    drop(code) { this.sockets.at(-1).onclose({ code }); }
    sent() { return this.sockets.at(-1).messages; }
    restore() { window.WebSocket = this.#original; }
}
