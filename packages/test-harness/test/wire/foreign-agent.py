"""A loop of its own around a model: keeps its session as JSON, pays by appending to a ledger. Standard library only.

AGENT_BUG=late   keeps results only once the model has answered them, so that a crash before loses them
AGENT_BUG=forget besides, leaves calls without results alone when it goes on
"""

import json
import os
import sys
import urllib.request

SESSION, LEDGER = "session.json", "ledger.txt"
BUG = os.environ.get("AGENT_BUG", "")
TOOL = {"name": "pay", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}}


def ask(messages):
    body = {"model": "any", "messages": messages, "tools": [{"type": "function", "function": TOOL}]}
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        message = json.load(response)["choices"][0]["message"]
    return {key: message[key] for key in ("role", "content", "tool_calls") if key in message}


def save(messages):
    with open(SESSION + ".new", "w") as file:
        json.dump(messages, file)
    os.replace(SESSION + ".new", SESSION)


def paid():
    return open(LEDGER).read().splitlines() if os.path.exists(LEDGER) else []


def pay(call):
    entry = call["id"] + " " + json.loads(call["function"]["arguments"])["to"]
    if BUG or entry not in paid():
        with open(LEDGER, "a") as file:
            file.write(entry + "\n")
    return {"role": "tool", "tool_call_id": call["id"], "content": "Paid."}


def open_calls(messages):
    answered = {message.get("tool_call_id") for message in messages}
    return [call for call in messages[-1].get("tool_calls") or [] if call["id"] not in answered]


def main():
    is_new = not os.path.exists(SESSION)
    messages = [{"role": "user", "content": sys.argv[1]}] if is_new else json.load(open(SESSION))
    pending = [] if BUG == "forget" else open_calls(messages)
    while messages[-1]["role"] != "assistant" or messages[-1].get("tool_calls"):
        for call in pending:
            messages.append(pay(call))
            if not BUG:
                save(messages)
        messages.append(ask(messages))
        save(messages)
        pending = open_calls(messages)


main()
