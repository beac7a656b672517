"""Scores `chalkline select --batch` on questions with known answers: recall@k, and recall within a budget of tokens.

Usage: python3 Tests/eval/select_scores.py --chalkline BINARY --data FOLDER
The folder holds `screens_*.jsonl` ({screen, elements}) and `questions_*.jsonl`, `icon_questions_*.jsonl`
({screen, question, gold: [[ids], …]}): a question is answered when every group of its gold is hit by any of its ids.
"""

import argparse
import json
import subprocess
import time
from pathlib import Path

RANKS, BUDGETS = (1, 5, 10, 20), (100, 150, 200)


def rows(folder, pattern):
    for file in sorted(Path(folder).glob(pattern)):
        with open(file, encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def select(binary, requests):
    text = "".join(json.dumps(request, ensure_ascii=False) + "\n" for request in requests)
    done = subprocess.run([binary, "select", "--batch"], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests), "one answer a line"
    return answers


def hit(gold, ids):
    return all(any(one in ids for one in group) for group in gold)


def score(binary, screens, questions):
    requests = [{"screen": screens[q["screen"]], "question": q["question"]} for q in questions]
    result, started = {"n": len(questions)}, time.monotonic()
    ranked = [[e["id"] for e in answer["elements"]] for answer in select(binary, requests)]
    result["ms"] = round((time.monotonic() - started) * 1000 / len(questions), 2)
    for k in RANKS:
        result[f"r@{k}"] = sum(hit(q["gold"], set(ids[:k])) for q, ids in zip(questions, ranked)) / len(questions)
    for budget in BUDGETS:
        answers = select(binary, [{**request, "budget": budget} for request in requests])
        sent = [{e["id"] for e in answer["elements"] if e["sent"]} for answer in answers]
        result[f"t@{budget}"] = sum(hit(q["gold"], ids) for q, ids in zip(questions, sent)) / len(questions)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chalkline", required=True)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    screens = {row["screen"]: row for row in rows(options.data, "screens_*.jsonl")}
    sets = {"mobile": list(rows(options.data, "questions_dev.jsonl")), "icons": list(rows(options.data, "icon_questions_*.jsonl")),
            "chinese": list(rows(options.data, "questions_zh_*.jsonl"))}
    for name, questions in sets.items():
        questions = [q for q in questions if q.get("gold")]
        if not questions:
            print(f"{name}: skipped, no questions with known answers")
            continue
        result = score(options.chalkline, screens, questions)
        print(name, " ".join(f"{key}={value if key in ('n', 'ms') else f'{value:.1%}'}" for key, value in result.items()))


if __name__ == "__main__":
    main()
