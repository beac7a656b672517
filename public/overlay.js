// Overlay: draws rings round the elements that the tutor points at, and keeps them there.
// Rings follow the live node through scroll, resize and layout; only where there is none do they stand at the box that
// was sent. The overlay is in the top layer, takes no pointer and no focus, and never dims the page.
// It works on frames only while something is drawn.

import { h, setText } from "./dom.js";

/** How much of a target must be in view, in CSS pixels, before it needs no chip at the edge. */
const LEAST_VISIBLE = 12;

/**
 * A tag must not cover the text it speaks of. On a wide ring it stands on the right end of the upper edge; beside a
 * narrow one where there is room; else above it, or below where there is none. In CSS pixels.
 */
const WIDE = 220;
const TAG_ROOM = { width: 150, height: 34 };

export class Overlay {
    #walker;
    #onMissed;
    #strings;
    #layer;
    #edges;
    #rings = new Map();
    #captures = new Map();
    #missed = new Set();
    #inset = { right: 0, bottom: 0 };
    #frame = 0;

    /**
     * @param {object} options
     * @param {object} options.walker gives the live rectangle of an element
     * @param {object} options.strings texts of the panel's language
     * @param {(turn: string, element: string, why: string) => void} options.onMissed a mark could not be drawn
     */
    constructor({ walker, strings, onMissed }) {
        this.#walker = walker;
        this.#strings = strings;
        this.#onMissed = onMissed;
        this.#edges = {
            top: h("div", { class: "ck-edge ck-edge-top" }),
            bottom: h("div", { class: "ck-edge ck-edge-bottom" }),
        };
        this.#layer = h("div", { "class": "ck-overlay", "data-chalkline-part": "overlay", "aria-hidden": "true" },
            this.#edges.top, this.#edges.bottom);
        if (this.#layer.showPopover) this.#layer.popover = "manual";
        document.body.append(this.#layer);
    }

    set strings(strings) { this.#strings = strings; }

    /** How much of the viewport the panel covers; targets under it count as out of view. */
    set inset(inset) {
        this.#inset = inset;
        this.#layer.style.right = `${inset.right}px`;
        this.#layer.style.bottom = `${inset.bottom}px`;
    }

    /** Shows exactly these marks, one ring an element. */
    show(marks) {
        const wanted = new Map(marks.map((mark) => [mark.element, mark]));
        for (const [id, ring] of this.#rings) if (!wanted.has(id)) this.#drop(this.#rings, id, ring);
        for (const [id, mark] of wanted) {
            const ring = this.#rings.get(id) ?? this.#makeRing(id);
            ring.mark = mark;
            ring.element.dataset.kind = mark.kind;
            const badge = mark.badge ? this.#strings.stepBadge(mark.badge) : (mark.number ?? "");
            setText(ring.badge, String(badge));
            setText(ring.label, mark.label ?? "");
            ring.label.hidden = !mark.label;
        }
        this.#run();
    }

    /** Paints the box of every element that is shared; null ends it. */
    preview(elements) {
        for (const [id, capture] of this.#captures) this.#drop(this.#captures, id, capture);
        for (const element of elements ?? []) {
            const box = h("div", { "class": "ck-capture", "data-type": element.type });
            this.#layer.append(box);
            this.#captures.set(element.id, { element: box, mark: element });
        }
        this.#run();
    }

    /** Whether enough of an element is in the part of the viewport that the panel leaves free. */
    isInView(id) {
        const rect = this.#walker.rect(id);
        return rect !== null && this.#sideOf(rect) === null;
    }

    /** Brings an element into view and makes its ring beat once. The focus stays where it is. */
    reveal(id) {
        const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const behavior = isCalm ? "auto" : "smooth";
        this.#walker.node(id)?.scrollIntoView({ block: "center", inline: "nearest", behavior });
        const ring = this.#rings.get(id)?.element;
        if (!ring) return;
        ring.classList.remove("ck-beat");
        requestAnimationFrame(() => ring.classList.add("ck-beat"));
    }

    /** Takes everything away. */
    remove() {
        cancelAnimationFrame(this.#frame);
        this.#layer.remove();
    }

    #makeRing(id) {
        const badge = h("span", { class: "ck-badge" });
        const label = h("span", { class: "ck-label" });
        const tag = h("span", { class: "ck-tag" }, badge, label);
        const arrow = h("span", { class: "ck-arrow" });
        const element = h("div", { "class": "ck-ring", "data-chalkline-ring": id }, arrow, tag);
        const chip = h("button", {
            class: "ck-chip", type: "button", tabindex: "-1", hidden: true,
            onpointerdown: (event) => event.preventDefault(), onclick: () => this.reveal(id),
        });
        const ring = { element, badge, label, chip, mark: null, hadNode: false };
        this.#rings.set(id, ring);
        this.#layer.append(element);
        return ring;
    }

    #drop(map, id, item) {
        item.element.remove();
        item.chip?.remove();
        map.delete(id);
    }

    #run() {
        const isNeeded = this.#rings.size + this.#captures.size > 0;
        if (isNeeded) this.#raise();
        else if (this.#layer.matches(":popover-open")) this.#layer.hidePopover();
        cancelAnimationFrame(this.#frame);
        if (isNeeded) this.#follow();
    }

    /** Into the top layer, above any modal dialog that was opened since. */
    #raise() {
        if (!this.#layer.showPopover) return;
        const isOpen = this.#layer.matches(":popover-open");
        const dialog = document.querySelector("dialog:modal");
        if (isOpen && dialog === this.#layer.below) return;
        if (isOpen) this.#layer.hidePopover();
        this.#layer.showPopover();
        this.#layer.below = dialog;
    }

    #follow() {
        const places = [];
        // All reading first, then all writing: one layout a frame.
        for (const [id, ring] of this.#rings) places.push([ring, this.#place(id, ring), id]);
        for (const [id, capture] of this.#captures) places.push([capture, this.#walker.rect(id), id]);
        for (const [item, rect, id] of places) this.#draw(item, rect, id);
        this.#frame = requestAnimationFrame(() => {
            this.#raise();
            this.#follow();
        });
    }

    #place(id, ring) {
        const rect = this.#walker.rect(id);
        if (rect) ring.hadNode = true;
        const box = ring.mark.box;
        // A node that was there and is gone takes its ring with it; the server's update follows.
        if (rect || ring.hadNode || !box) return rect;
        return new DOMRect(box[0] * innerWidth, box[1] * innerHeight, box[2] * innerWidth, box[3] * innerHeight);
    }

    #draw(item, rect, id) {
        const { element, chip, mark } = item;
        const isDrawn = rect !== null && rect.width > 0 && rect.height > 0;
        element.hidden = !isDrawn;
        if (!isDrawn) {
            if (chip) chip.hidden = true;
            if (item.mark.turn && !item.hadNode) this.#reportMissed(mark, id);
            return;
        }
        const place = [rect.x, rect.y, rect.width, rect.height].join();
        if (item.drawnAt !== place) {
            item.drawnAt = place;
            const { style } = element;
            style.left = `${rect.x}px`;
            style.top = `${rect.y}px`;
            style.width = `${rect.width}px`;
            style.height = `${rect.height}px`;
            element.dataset.tag = this.#tagPlace(rect);
        }
        if (!chip) return;
        const side = this.#sideOf(rect);
        chip.hidden = side === null;
        if (side === null) return;
        const name = mark.label ?? this.#walker.describe(id);
        const text = `${{ top: "↑", bottom: "↓", left: "←", right: "→" }[side]} ${name || this.#strings.lookHere}`;
        setText(chip, text);
        const edge = side === "top" ? this.#edges.top : this.#edges.bottom;
        if (chip.parentNode !== edge) edge.append(chip);
    }

    #tagPlace(rect) {
        if (rect.width >= WIDE) return "edge";
        if (rect.right + TAG_ROOM.width < innerWidth - this.#inset.right) return "beside";
        return rect.y < TAG_ROOM.height ? "below" : "above";
    }

    #sideOf(rect) {
        const [width, height] = [innerWidth - this.#inset.right, innerHeight - this.#inset.bottom];
        const needed = Math.min(LEAST_VISIBLE, rect.height / 2, rect.width / 2);
        if (rect.bottom < needed) return "top";
        if (rect.top > height - needed) return "bottom";
        if (rect.right < needed) return "left";
        return rect.left > width - needed ? "right" : null;
    }

    #reportMissed(mark, id) {
        const key = `${mark.turn} ${id}`;
        if (this.#missed.has(key)) return;
        this.#missed.add(key);
        this.#onMissed(mark.turn, id, "no such element on the page");
    }
}
