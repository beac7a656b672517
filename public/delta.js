// delta: what changed between the screen that the server has and the screen that is there now. Pure.
// Spec: docs/protocol.md §4. A delta is applied in the order remove, add, update, move, so a `move` of "all" also
// moves what was just added or updated: those boxes are sent moved back by the same vector.

/** Two boxes nearer than this are the same; a fifth of a pixel on a screen of 1 000. */
export const TOLERANCE = 2e-4;

/** More operations than this, and a snapshot is the cheaper and safer message (the server's limit is 500). */
export const MOST_OPERATIONS = 300;

const FIELDS = ["content", "placeholder", "value", "label", "state", "region", "line"];

/**
 * Compares two screens.
 * @param {Map<string, object>} before the elements as the server has them
 * @param {Map<string, object>} after the elements as they are
 * @returns {{kind: "none"} | {kind: "snapshot"} | {kind: "delta", operations: object, result: Map<string, object>}}
 *   `result` is what the server holds once it has applied `operations`.
 */
export function screenDelta(before, after) {
    const remove = [];
    for (const [id, old] of before) {
        // Another type is another element for the server: say so plainly.
        if (after.get(id)?.type !== old.type) remove.push(id);
    }
    const gone = new Set(remove);
    const survivors = [...after.values()].filter((element) => before.has(element.id) && !gone.has(element.id));
    const shift = commonShift(survivors, before);
    const isAll = shift !== null && shift.ids.size * 2 >= survivors.length;
    const back = isAll ? shift.by : [0, 0];

    const add = [];
    const update = [];
    const result = new Map();
    for (const element of after.values()) {
        const old = gone.has(element.id) ? undefined : before.get(element.id);
        if (!old) {
            add.push({ ...element, box: moved(element.box, back, -1) });
            result.set(element.id, element);
            continue;
        }
        const fields = changedFields(old, element);
        let box = old.box;
        if (shift?.ids.has(element.id)) {
            box = moved(old.box, shift.by, 1);
        } else if (isAll || !isSameBox(old.box, element.box)) {
            fields.box = moved(element.box, back, -1);
            box = element.box;
        }
        if (Object.keys(fields).length > 0) update.push({ id: element.id, ...fields });
        result.set(element.id, { ...element, box });
    }

    const operations = {};
    if (remove.length > 0) operations.remove = remove;
    if (add.length > 0) operations.add = add;
    if (update.length > 0) operations.update = update;
    if (shift) operations.move = [{ by: shift.by, ids: isAll ? "all" : [...shift.ids] }];
    const count = remove.length + add.length + update.length + (shift && !isAll ? shift.ids.size : 0);
    if (count > MOST_OPERATIONS || add.length > after.size * 0.7) return { kind: "snapshot" };
    return Object.keys(operations).length === 0 ? { kind: "none" } : { kind: "delta", operations, result };
}

/** Whether two boxes are the same to the eye. */
export function isSameBox(a, b) {
    return a.every((value, index) => Math.abs(value - b[index]) <= TOLERANCE);
}

/** The vector that the most elements moved by without changing size, when at least two did. */
function commonShift(elements, before) {
    const buckets = new Map();
    for (const element of elements) {
        const old = before.get(element.id).box;
        if (!hasSameSize(old, element.box) || isSameBox(old, element.box)) continue;
        const by = [round(element.box[0] - old[0]), round(element.box[1] - old[1])];
        const key = by.map((part) => Math.round(part / (2 * TOLERANCE))).join();
        const bucket = buckets.get(key) ?? { by, count: 0 };
        bucket.count += 1;
        buckets.set(key, bucket);
    }
    let best = null;
    for (const bucket of buckets.values()) {
        if (bucket.count > (best?.count ?? 1)) best = bucket;
    }
    if (!best) return null;
    const ids = new Set();
    for (const element of elements) {
        const old = before.get(element.id).box;
        if (hasSameSize(old, element.box) && isSameBox(moved(old, best.by, 1), element.box)) ids.add(element.id);
    }
    return { by: best.by, ids };
}

function changedFields(old, element) {
    const fields = {};
    for (const name of FIELDS) {
        const [a, b] = [old[name], element[name]];
        const isSame = Array.isArray(a) && Array.isArray(b) ? a.join() === b.join() : a === b;
        if (!isSame) fields[name] = b === undefined ? null : b;
    }
    return fields;
}

function hasSameSize(a, b) {
    return Math.abs(a[2] - b[2]) <= TOLERANCE && Math.abs(a[3] - b[3]) <= TOLERANCE;
}

function moved(box, by, sign) {
    return [round(box[0] + sign * by[0]), round(box[1] + sign * by[1]), box[2], box[3]];
}

function round(value) {
    return Math.round(value * 1e6) / 1e6;
}
