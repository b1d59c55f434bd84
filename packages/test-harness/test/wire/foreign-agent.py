"""A loop of its own around a model: keeps its session as JSON, pays by appending to a ledger. Standard library only.

AGENT_PROTOCOL openai (absent), responses, anthropic, gemini or ollama
AGENT_BUG=late   keeps results only once the model has answered them, so that a crash before loses them
AGENT_BUG=forget besides, leaves calls without results alone when it goes on
"""

import json
import os
import sys
import urllib.request

SESSION, LEDGER = "session.json", "ledger.txt"
BUG = os.environ.get("AGENT_BUG", "")
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}
TOOL = {"name": "pay", "parameters": SCHEMA}


def post(url, body, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json", **headers})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def grouped(history):
    """The history with all results of an answer in one step."""
    steps = []
    for step in history:
        if "result" in step and steps and "results" in steps[-1]:
            steps[-1]["results"].append(step)
        else:
            steps.append({"results": [step]} if "result" in step else step)
    return steps


def openai(history):
    messages = []
    for step in history:
        if "user" in step:
            messages.append({"role": "user", "content": step["user"]})
        elif "raw" in step:
            messages.append(step["raw"])
        else:
            messages.append({"role": "tool", "tool_call_id": step["call"], "content": step["result"]})
    body = {"model": "any", "messages": messages, "tools": [{"type": "function", "function": TOOL}]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    message = post(url, body, authorization="Bearer " + os.environ["OPENAI_API_KEY"])["choices"][0]["message"]
    raw = {key: message[key] for key in ("role", "content", "tool_calls") if key in message}
    return raw, [
        {"id": call["id"], "input": json.loads(call["function"]["arguments"])} for call in raw.get("tool_calls", [])
    ]


def responses(history):
    items = []
    for step in history:
        if "user" in step:
            items.append({"role": "user", "content": step["user"]})
        elif "raw" in step:
            items.extend(step["raw"])
        else:
            items.append({"type": "function_call_output", "call_id": step["call"], "output": step["result"]})
    body = {"model": "any", "input": items, "tools": [{"type": "function", **TOOL}], "store": False}
    body["include"] = ["reasoning.encrypted_content"]
    url = os.environ["OPENAI_BASE_URL"] + "/responses"
    raw = post(url, body, authorization="Bearer " + os.environ["OPENAI_API_KEY"])["output"]
    calls = [item for item in raw if item["type"] == "function_call"]
    return raw, [{"id": call["call_id"], "input": json.loads(call["arguments"])} for call in calls]


def anthropic(history):
    messages = []
    for step in grouped(history):
        if "user" in step:
            messages.append({"role": "user", "content": step["user"]})
        elif "raw" in step:
            messages.append({"role": "assistant", "content": step["raw"]})
        else:
            results = [
                {"type": "tool_result", "tool_use_id": one["call"], "content": one["result"]}
                for one in step["results"]
            ]
            messages.append({"role": "user", "content": results})
    tool = {"name": "pay", "input_schema": SCHEMA}
    body = {"model": "any", "max_tokens": 1000, "messages": messages, "tools": [tool]}
    url, key = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", os.environ["ANTHROPIC_API_KEY"]
    raw = post(url, body, x_api_key=key, anthropic_version="2023-06-01")["content"]
    return raw, [{"id": one["id"], "input": one["input"]} for one in raw if one["type"] == "tool_use"]


def gemini(history):
    contents = []
    for step in grouped(history):
        if "user" in step:
            contents.append({"role": "user", "parts": [{"text": step["user"]}]})
        elif "raw" in step:
            contents.append({"role": "model", "parts": step["raw"]})
        else:
            parts = [
                {"functionResponse": {"id": one["call"], "name": "pay", "response": {"output": one["result"]}}}
                for one in step["results"]
            ]
            contents.append({"role": "user", "parts": parts})
    body = {"contents": contents, "tools": [{"functionDeclarations": [TOOL]}]}
    url = os.environ["GOOGLE_GEMINI_BASE_URL"] + "/v1beta/models/any:generateContent"
    raw = post(url, body, x_goog_api_key=os.environ["GEMINI_API_KEY"])["candidates"][0]["content"]["parts"]
    calls = [part["functionCall"] for part in raw if "functionCall" in part]
    return raw, [{"id": call["id"], "input": call["args"]} for call in calls]


def ollama(history):
    messages = []
    for step in history:
        if "user" in step:
            messages.append({"role": "user", "content": step["user"]})
        elif "raw" in step:
            messages.append(step["raw"])
        else:
            messages.append({"role": "tool", "tool_name": "pay", "content": step["result"]})
    body = {"model": "any", "messages": messages, "tools": [{"type": "function", "function": TOOL}], "stream": False}
    raw = post(os.environ["OLLAMA_HOST"] + "/api/chat", body)["message"]
    return raw, [{"id": call["id"], "input": call["function"]["arguments"]} for call in raw.get("tool_calls", [])]


ASK = {"openai": openai, "responses": responses, "anthropic": anthropic, "gemini": gemini, "ollama": ollama}[
    os.environ.get("AGENT_PROTOCOL", "openai")
]


def save(history):
    with open(SESSION + ".new", "w") as file:
        json.dump(history, file)
    os.replace(SESSION + ".new", SESSION)


def paid():
    return open(LEDGER).read().splitlines() if os.path.exists(LEDGER) else []


def pay(call):
    entry = call["id"] + " " + call["input"]["to"]
    if BUG or entry not in paid():
        with open(LEDGER, "a") as file:
            file.write(entry + "\n")
    return {"call": call["id"], "result": "Paid."}


def open_calls(history):
    answered = {step.get("call") for step in history}
    answers = [step for step in history if "raw" in step]
    return [call for call in (answers[-1]["calls"] if answers else []) if call["id"] not in answered]


def main():
    is_new = not os.path.exists(SESSION)
    history = [{"user": sys.argv[1]}] if is_new else json.load(open(SESSION))
    pending = [] if BUG == "forget" else open_calls(history)
    while "raw" not in history[-1] or history[-1]["calls"]:
        for call in pending:
            history.append(pay(call))
            if not BUG:
                save(history)
        raw, calls = ASK(history)
        history.append({"raw": raw, "calls": calls})
        save(history)
        pending = open_calls(history)


main()
