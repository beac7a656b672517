"""Opens the student page of a running server in Debian's chromium and uses it as a student would.

Usage: python3 Tests/browser/test_page.py --url http://127.0.0.1:8080/ [--shots DIR] [--only NAME]
Needs: PyPI playwright, /usr/bin/chromium, a server whose tutor finds the wrong line (the built-in one does).
"""

import argparse
import json
import re
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ENGLISH = "Why is this wrong?"
CHINESE = "为什么提交不了？"
TOLERANCE = 2.0
ANSWER_SECONDS = 30
NEEDED_POLICY = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
]

RINGS = """() => [...document.querySelectorAll("[data-chalkline-ring]")].filter((ring) =>
    ring.checkVisibility()).map((ring) => {
    const id = ring.dataset.chalklineRing;
    const target = document.querySelector(`[data-chalkline-id="${id}"]`);
    const box = (node) => { const r = node.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; };
    return { id, ring: box(ring), target: target && box(target) };
})"""
FRAMES = """async () => {
    for (let count = 0; count < 3; count += 1) await new Promise(requestAnimationFrame);
}"""
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


class Student:
    """One browser tab on the page, with everything it complains about."""

    def __init__(self, browser, url: str, shots: Path | None, **options):
        options.setdefault("viewport", {"width": 1280, "height": 800})
        options.setdefault("locale", "en-GB")
        self.url, self.shots = url, shots
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda m: m.type in ("error", "warning") and self.complaints.append(m.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.add_init_script(WATCH)

    def open(self, path: str = ""):
        response = self.page.goto(self.url + path)
        self.page.wait_for_selector("[data-chalkline-state=online]", timeout=10_000)
        return response

    def ask(self, question: str) -> str:
        """Asks, waits for the end of the answer, and returns its text."""
        before = self.page.locator(".ck-turn").count()
        self.page.fill(".ck-input", question)
        self.page.press(".ck-input", "Enter")
        turn = self.page.locator(".ck-turn").nth(before)
        expect(turn).not_to_have_class(re.compile("ck-running"), timeout=ANSWER_SECONDS * 1_000)
        assert turn.get_attribute("data-status") == "done", f"the turn ended {turn.get_attribute('data-status')}"
        self.page.evaluate(FRAMES)
        return turn.locator(".ck-answer").inner_text()

    def rings(self) -> dict[str, dict]:
        return {ring["id"]: ring for ring in self.page.evaluate(RINGS)}

    def check_rings_fit(self, when: str):
        self.page.evaluate(FRAMES)
        rings = self.rings()
        assert rings, f"no ring {when}"
        for ring in rings.values():
            off = max(abs(a - b) for a, b in zip(ring["ring"], ring["target"]))
            assert off <= TOLERANCE, f"ring on {ring['id']} is {off:.1f} px off {when}: {ring}"

    def shot(self, name: str):
        if self.shots:
            self.page.screenshot(path=self.shots / f"{name}.png")

    def close(self):
        violations = self.page.evaluate("() => window.violations")
        self.context.close()
        assert not violations, f"content security policy: {violations}"
        assert not self.complaints, f"console: {self.complaints}"


def opens_under_a_strict_policy(student: Student):
    response = student.open()
    policy = response.headers.get("content-security-policy", "")
    missing = [part for part in NEEDED_POLICY if part not in policy]
    assert not missing, f"missing in the policy: {missing} of {policy!r}"
    student.shot("light")


def answers_and_rings_the_wrong_line(student: Student):
    student.open()
    student.page.evaluate("""() => {
        window.growth = 0;
        let last = 0;
        new MutationObserver(() => {
            const length = document.querySelector(".ck-answer")?.textContent.length ?? 0;
            if (length > last) { window.growth += 1; last = length; }
        }).observe(document.querySelector(".ck-list"), { subtree: true, childList: true, characterData: true });
    }""")
    text = student.ask(ENGLISH)
    assert text.strip(), "empty answer"
    assert "[[" not in text, f"a tag is in the text: {text}"
    growth = student.page.evaluate("() => window.growth")
    print(f"       answer in {growth} pieces: {text[:90]!r}")
    rings = student.rings()
    assert "l3" in rings, f"no ring on l3: {sorted(rings)}"
    assert not {"l1", "l2"} & set(rings), f"a right line has a ring: {sorted(rings)}"
    student.check_rings_fit("after the answer")
    student.shot("answer")

    # Room to scroll, and another layout: one column.
    student.page.set_viewport_size({"width": 1000, "height": 520})
    student.check_rings_fit("after a resize")
    for distance in (70, 130, -90):
        student.page.evaluate(f"() => scrollBy(0, {distance})")
        student.check_rings_fit(f"after a scroll by {distance}")
    student.shot("scrolled")
    student.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    student.page.evaluate(FRAMES)
    student.page.set_viewport_size({"width": 1280, "height": 800})
    student.page.evaluate("() => document.querySelector('.masthead').style.setProperty('margin-bottom', '120px')")
    student.check_rings_fit("after the layout has shifted")

    # Corrected: no false alarm.
    student.page.fill("[data-chalkline-id=l3]", "3x = 18")
    student.page.fill("[data-chalkline-id=l4]", "x = 6")
    student.ask(ENGLISH)
    wrong = {"l1", "l2", "l3", "l4"} & set(student.rings())
    assert not wrong, f"rings on right lines: {sorted(wrong)}"
    student.shot("corrected")


def the_exercises_work_by_themselves(student: Student):
    student.open()
    page = student.page
    page.click("[data-chalkline-id=check]")
    expect(page.locator("#verdict")).to_contain_text("Not yet")
    page.fill("#answer", "6")
    page.press("#answer", "Enter")
    expect(page.locator("#verdict")).to_contain_text("Right")
    page.click("[data-chalkline-id=submit]")
    expect(page.locator("#name-error")).to_have_text("请填写姓名。")
    assert page.evaluate("() => document.activeElement.id") == "name"
    page.fill("#name", "李明")
    page.fill("#phone", "123")
    page.select_option("#grade", "8")
    page.check("#consent")
    page.click("[data-chalkline-id=submit]")
    expect(page.locator("#phone-error")).to_contain_text("11 位")
    expect(page.locator("#name-error")).to_be_hidden()
    page.fill("#phone", "13800138000")
    page.click("[data-chalkline-id=submit]")
    expect(page.locator("#signup-verdict")).to_contain_text("报名成功")


def points_at_the_error_in_chinese(student: Student):
    student.open()
    student.page.click("[data-chalkline-id=submit]")
    text = student.ask(CHINESE)
    assert re.search("[\u4e00-\u9fff]", text), f"not in Chinese: {text}"
    rings = student.rings()
    expected = {f"{field}{part}" for field in ("name", "phone", "grade", "consent") for part in ("", "-error")}
    assert expected & set(rings), f"no ring on an error or its field: {sorted(rings)}; {text}"
    student.check_rings_fit("on the form")
    student.shot("chinese")


def stops(student: Student):
    """The end of the turn is held back on the wire until the page has asked for it, so that there is time to stop."""
    sent: list[dict] = []
    held: list[str] = []

    def relay(page_side):
        server = page_side.connect_to_server()

        def from_page(text):
            message = json.loads(text)
            sent.append(message)
            server.send(text)
            if message["type"] == "cancel":
                for late in held:
                    page_side.send(late)
                held.clear()

        def from_server(text):
            if json.loads(text)["type"] == "turn.end" and not any(m["type"] == "cancel" for m in sent):
                held.append(text)
            else:
                page_side.send(text)

        page_side.on_message(from_page)
        server.on_message(from_server)

    student.page.route_web_socket(re.compile("/v1/ws"), relay)
    student.open()
    student.page.fill(".ck-input", ENGLISH)
    student.page.press(".ck-input", "Enter")
    stop = student.page.locator(".ck-stop")
    expect(stop).to_be_visible(timeout=10_000)
    expect(student.page.locator(".ck-turn").last).not_to_have_attribute("data-status", "sending", timeout=10_000)
    student.shot("running")
    stop.click()
    expect(stop).to_be_hidden(timeout=10_000)
    cancel = next(m for m in sent if m["type"] == "cancel")
    assert re.fullmatch(r"t\d+", cancel["turn"]), cancel


def comes_back_after_a_lost_connection(student: Student):
    sockets = []

    def relay(page_side):
        sockets.append(page_side)
        page_side.connect_to_server()

    student.page.route_web_socket(re.compile("/v1/ws"), relay)
    student.open()
    sockets[0].close(code=4409, reason="slow consumer")
    deadline = time.monotonic() + 10
    while len(sockets) < 2 and time.monotonic() < deadline:
        student.page.wait_for_timeout(50)
    assert len(sockets) == 2, "no reconnect"
    student.page.wait_for_selector("[data-chalkline-state=online]", timeout=10_000)
    student.ask(ENGLISH)
    assert "l3" in student.rings(), "no ring after the reconnect"


def goes_on_after_a_reload(student: Student):
    student.open()
    student.ask(ENGLISH)
    student.page.reload()
    student.page.wait_for_selector("[data-chalkline-state=online]", timeout=10_000)
    student.ask(ENGLISH)
    assert "l3" in student.rings()
    student.check_rings_fit("after a reload")


def shows_what_is_shared(student: Student):
    student.open()
    student.page.fill("#phone", "13800138000")
    student.page.click(".ck-under .ck-button")
    rows = student.page.locator(".ck-share-row").all_inner_texts()
    assert len(rows) == student.page.locator(".ck-capture").count() > 15
    assert any("3x = 6" in row for row in rows)
    assert not any("13800138000" in row for row in rows), "the phone number is shared"
    student.shot("shared")
    student.page.keyboard.press("Escape")
    assert student.page.locator(".ck-capture").count() == 0


def works_with_the_keyboard_alone(student: Student):
    student.open()
    page = student.page
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.className") == "ck-input"
    page.keyboard.type(ENGLISH)
    page.keyboard.press("Enter")
    expect(page.locator(".ck-turn")).to_have_attribute("data-status", "done", timeout=ANSWER_SECONDS * 1_000)
    assert page.evaluate("() => document.activeElement.className") == "ck-input", "the focus was taken"
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("""() => {
            const { activeElement: node } = document;
            const { outlineStyle, outlineWidth } = getComputedStyle(node.matches(".ck-input") ? node.parentNode : node);
            const isMarked = node === document.body || (outlineStyle !== "none" && parseFloat(outlineWidth) > 0);
            return [node.dataset.chalklineId ?? node.id ?? "", node.className, isMarked];
        }"""))
    names = {name for name, _, _ in seen} | {part for _, kind, _ in seen for part in kind.split()}
    missing = {"l2", "answer", "check", "name", "grade", "consent", "submit", "ck-input", "ck-tool", "ck-send"} - names
    assert not missing, f"not reached by Tab: {missing}"
    assert seen.count(seen[0]) > 1, "the focus does not come round: a trap"
    unmarked = [entry for entry in seen if not entry[2]]
    assert not unmarked, f"no visible focus on {unmarked[:3]}"


def speaks_once_to_screen_readers(student: Student):
    student.open()
    student.page.evaluate("""() => {
        window.said = [];
        for (const region of document.querySelectorAll(".ck-panel [role=status]")) {
            new MutationObserver(() => window.said.push(region.textContent))
                .observe(region, { childList: true, characterData: true, subtree: true });
        }
    }""")
    text = student.ask(ENGLISH)
    said = student.page.evaluate("() => window.said")
    assert len(said) == 1 and text.split()[0] in said[0], said
    live = student.page.evaluate(
        "() => document.querySelector('.ck-answer').closest('[aria-live],[role=status],[role=log],[role=alert]')"
    )
    assert live is None, "the stream is in a live region"


def changes_its_language(student: Student):
    student.open()
    student.page.fill(".ck-input", "draft")
    student.page.click(".ck-head .ck-tool:first-of-type")
    assert student.page.get_attribute(".ck-panel", "lang") == "zh-CN"
    assert student.page.input_value(".ck-input") == "draft"
    expect(student.page.locator(".title")).to_have_text("两道小练习")


def is_dark_at_night(student: Student):
    student.open()
    student.ask(ENGLISH)
    student.shot("dark")
    colour = student.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in re.findall(r"\d+", colour)[:3]) < 60, colour


def fits_a_small_phone(student: Student):
    student.open()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert student.page.evaluate(wide) <= 0, "scrolls sideways"
    student.shot("phone")
    student.ask(ENGLISH)
    assert student.page.evaluate(wide) <= 0, "scrolls sideways with an answer"
    student.page.wait_for_timeout(700)
    rings = student.rings()
    assert "l3" in rings
    sheet = student.page.locator(".ck-panel").bounding_box()
    _, y, _, height = rings["l3"]["ring"]
    assert 0 <= y and y + height <= sheet["y"], f"the ring is not in view: {rings['l3']} under {sheet}"
    student.check_rings_fit("on a phone")
    student.shot("phone-answer")
    overflowing = student.page.evaluate("""() => [...document.querySelectorAll(".page *, .ck-panel *")].filter((node) =>
        node.checkVisibility() && !node.closest(".ck-hidden, .ck-link, svg, .ck-answer pre")
            && node.getBoundingClientRect().right > innerWidth + 1)
        .map((node) => node.className || node.tagName)""")
    assert not overflowing, f"out of the screen: {overflowing}"


def keeps_its_shape_in_forced_colours(student: Student):
    student.open()
    student.ask(ENGLISH)
    style = student.page.evaluate(
        "() => getComputedStyle(document.querySelector('[data-chalkline-ring=l3]')).outlineStyle"
    )
    assert style == "solid", "the ring is not seen in forced colours"
    student.shot("forced-colours")


TESTS = {
    opens_under_a_strict_policy: {},
    answers_and_rings_the_wrong_line: {},
    the_exercises_work_by_themselves: {},
    points_at_the_error_in_chinese: {"locale": "zh-CN"},
    stops: {},
    comes_back_after_a_lost_connection: {},
    goes_on_after_a_reload: {},
    shows_what_is_shared: {},
    works_with_the_keyboard_alone: {},
    speaks_once_to_screen_readers: {},
    changes_its_language: {},
    is_dark_at_night: {"color_scheme": "dark"},
    fits_a_small_phone: {"viewport": {"width": 320, "height": 640}, "has_touch": True},
    keeps_its_shape_in_forced_colours: {"forced_colors": "active", "reduced_motion": "reduce"},
}


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        yield browser
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="address of the student page")
    parser.add_argument("--shots", type=Path, help="folder for screenshots")
    parser.add_argument("--only", help="run only the tests whose name contains this")
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    failed = ran = 0
    with chromium() as browser:
        for test, settings in TESTS.items():
            if options.only and options.only not in test.__name__:
                continue
            ran += 1
            student = Student(browser, options.url, options.shots, **settings)
            try:
                test(student)
                student.close()
                print(f"ok     {test.__name__}", flush=True)
            except Exception:
                failed += 1
                print(f"FAIL   {test.__name__}\n{traceback.format_exc()}", flush=True)
                student.shot(f"failed-{test.__name__}")
                for complaint in student.complaints:
                    print(f"       {complaint}")
    print(f"{ran} tests, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
