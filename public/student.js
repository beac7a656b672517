// student: the student page. Two exercises that work by themselves, and a tutor beside them.
// The exercises know nothing of the tutor: it reads them as it would read any page.

import { connect } from "./chalkline.js";

const texts = {
    "en": ["Two small exercises", "Work as you would on paper. When you are stuck, ask the tutor."],
    "zh-CN": ["两道小练习", "像在纸上一样做。卡住了，就问辅导老师。"],
};

startEquation(document.getElementById("equation"));
startSignup(document.getElementById("signup"));

connect({
    lang: new URLSearchParams(location.search).get("lang") ?? undefined,
    onLanguage: (language) => {
        const [title, lead] = texts[language];
        const masthead = document.querySelector(".masthead");
        masthead.lang = language;
        masthead.querySelector(".title").textContent = title;
        masthead.querySelector(".lead").textContent = lead;
    },
});

/** The equation 3(x - 2) = 12. The check puts the answer in: it needs no list of right answers. */
function startEquation(form) {
    const answer = form.querySelector("#answer");
    const verdict = form.querySelector("#verdict");
    const say = (text, state) => {
        verdict.textContent = text;
        verdict.dataset.state = state;
    };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const x = readNumber(answer.value);
        if (x === null) say("Type a number, such as 7 or 7/2.", "open");
        else if (Math.abs(3 * (x - 2) - 12) < 1e-9) say("Right!", "right");
        else say("Not yet. Put it into the first line and see.", "open");
    });
    form.addEventListener("input", () => say("", ""));
    form.addEventListener("reset", () => say("", ""));
    // Enter in a line goes to the next one, as a pen would.
    form.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing || !event.target.matches(".line")) return;
        event.preventDefault();
        const lines = [...form.querySelectorAll(".line"), answer];
        lines[lines.indexOf(event.target) + 1].focus();
    });
}

/** Reads `6`, `-1.5`, `7/2` or `x = 6`; null for anything else. */
function readNumber(text) {
    const match = /^\s*(?:x\s*=\s*)?([-−]?\d+(?:\.\d+)?)(?:\s*\/\s*(\d+(?:\.\d+)?))?\s*$/i.exec(text);
    if (!match) return null;
    const value = Number(match[1].replace("−", "-")) / Number(match[2] ?? 1);
    return Number.isFinite(value) ? value : null;
}

/** The form: each fault is said next to its field, and the first faulty field gets the focus. */
function startSignup(form) {
    const verdict = form.querySelector("#signup-verdict");
    const faults = {
        name: (field) => (field.value.trim() ? "" : "请填写姓名。"),
        phone: (field) => {
            const digits = field.value.replace(/[\s-]/g, "");
            if (digits === "") return "请填写手机号。";
            return /^1[3-9]\d{9}$/.test(digits) ? "" : "手机号应为 11 位数字，以 1 开头。";
        },
        grade: (field) => (field.value ? "" : "请选择年级。"),
        consent: (field) => (field.checked ? "" : "请先勾选家长同意。"),
    };
    const show = (field, text) => {
        const message = form.querySelector(`#${field.id}-error`);
        message.textContent = text;
        message.hidden = text === "";
        if (text) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
    };
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const fields = Object.keys(faults).map((id) => form.querySelector(`#${id}`));
        for (const field of fields) show(field, faults[field.id](field));
        const first = fields.find((field) => field.hasAttribute("aria-invalid"));
        first?.focus();
        verdict.textContent = first ? "" : "已提交，报名成功！";
        verdict.dataset.state = first ? "" : "right";
    });
    // A message goes as soon as its field is right, and does not come before the next submit.
    form.addEventListener("input", ({ target }) => {
        verdict.textContent = "";
        if (target.hasAttribute("aria-invalid")) show(target, faults[target.id](target));
    });
}
