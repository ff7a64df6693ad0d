"""A stand-in for `vllm run-batch`: answers the lines of a file into another, by the model of the loopback servers.

python -m tests.faults.run_batch run-batch -i requests.jsonl -o results.jsonl --model MODEL
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.faults.batch_server import chat_answer
from tests.faults.completion_server import good_answer


def main() -> None:
    """Answer every line, in the envelope that such a program writes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run-batch"])
    parser.add_argument("-i", dest="requests", type=Path, required=True)
    parser.add_argument("-o", dest="results", type=Path, required=True)
    parser.add_argument("--model", required=True)
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.requests.read_text(encoding="utf-8").splitlines()]
    assert {(line["body"]["model"], line["url"], line["method"]) for line in lines} == {
        (given.model, "/v1/chat/completions", "POST")
    }
    with given.results.open("w", encoding="utf-8") as results:
        for number, line in enumerate(lines):
            body = chat_answer(line["body"], json.dumps(good_answer(line["body"])))
            response = {"status_code": 200, "request_id": f"vllm-batch-{number}", "body": body}
            answer = {"id": f"vllm-{number}", "custom_id": line["custom_id"], "response": response, "error": None}
            results.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
