"""Ask Replygate before a tool with an effect is called, and tell it how the call ended. Needs nothing but Python 3.9."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Optional


class ReplygateError(Exception):
    """The answer was no: `status` and what the server says about it."""

    def __init__(self, status: int, body: dict[str, Any]):
        super().__init__(f"{status} {body.get('error')}: {body.get('message')}")
        self.status = status
        self.body = body


class OutcomeUnknown(Exception):
    """Nobody knows whether the call had its effect. It must not be repeated; tell the person, an operator can settle it."""


class CertainlyFailed(Exception):
    """Raise this from a tool that certainly changed nothing: the same call may then be made again at once."""


@dataclass
class Outcome:
    """What came of a guarded call."""

    result: Any
    replayed: bool
    note: Optional[str] = None


class Replygate:
    def __init__(self, url: str, token: str, timeout: float = 40.0):
        self.url = url.rstrip("/")
        self.token = token
        self.timeout = timeout

    def guarded(
        self,
        tool: str,
        arguments: dict[str, Any],
        run: Callable[[dict[str, Any], Optional[str]], Any],
        *,
        channel: str,
        contact: str,
        effect: str = "write",
        wait: int = 25,
    ) -> Outcome:
        """Calls `run(arguments, key)` if nobody did the same work before; else returns the first call's result.

        `key` is for the tool's own service, as its idempotency key. Where `run` fails in a way that leaves open whether it
        did something, the call becomes unknown and is not repeated.
        """
        wish = {"tool": tool, "arguments": arguments, "channel": channel, "contact": contact, "effect": effect}
        leave = self._ask("POST", f"/v1/actions?wait={wait}", wish)
        if leave["state"] == "unguarded":
            return Outcome(run(arguments, None), replayed=False)
        if leave["state"] == "duplicate":
            return Outcome(leave["first"].get("result"), replayed=True, note=leave["note"])
        if leave["state"] == "unknown":
            raise OutcomeUnknown(leave["note"])
        action = leave["action"]
        try:
            result = run(arguments, leave["key"])
        except CertainlyFailed as error:
            self._settle(action, "failed", {"code": str(error)[:64] or "failed"})
            raise
        except BaseException as error:
            self._settle(action, "unknown", {"code": type(error).__name__})
            raise OutcomeUnknown(f"{tool} broke off: {error}") from error
        self._settle(action, "done", {"result": result})
        return Outcome(result, replayed=False)

    def _settle(self, action: str, how: str, body: dict[str, Any]) -> None:
        """Settling is idempotent, so it is tried again: what is not settled becomes unknown when its lease is over."""
        for attempt in range(3):
            try:
                self._ask("POST", f"/v1/actions/{action}/{how}", body)
                return
            except (OSError, ReplygateError) as error:
                passing = not isinstance(error, ReplygateError) or error.status == 503
                if attempt == 2 or not passing:
                    raise

    def _ask(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=json.dumps(body).encode(),
            headers={"authorization": f"Bearer {self.token}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                told = json.load(error)
            except ValueError:
                told = {"error": "unreadable", "message": error.reason}
            raise ReplygateError(error.code, told) from error
