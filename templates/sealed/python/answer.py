import json
import sys


def answer(ask):
    """Answers every question on standard input: "<nonce> <input as JSON>" with "<nonce> <value as JSON>"."""
    for line in sys.stdin:
        nonce, _, given = line.strip().partition(" ")
        print(f"\n{nonce} {json.dumps(ask(json.loads(given)))}", flush=True)
