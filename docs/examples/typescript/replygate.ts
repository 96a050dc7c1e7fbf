// Ask Replygate before a tool with an effect is called, and tell it how the call ended. Needs nothing but Node 22.18, which
// runs TypeScript as it is.

export type Arguments = Record<string, unknown>;
export type Outcome<T> = { result: T; replayed: boolean; note?: string };
export type Run<T> = (args: Arguments, key?: string) => Promise<T> | T;
export type Wish = {
  tool: string;
  arguments: Arguments;
  channel: string;
  contact: string;
  effect?: "read" | "write";
};

type First = { action: string; at: number; result?: unknown };
type Leave =
  | { state: "reserved"; action: string; key: string; lease_seconds: number }
  | { state: "duplicate"; action: string; first: First; note: string }
  | { state: "unknown"; action: string; first: First; note: string }
  | { state: "unguarded" };

/** The answer was no: the status, and what the server says about it. */
export class ReplygateError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: { error?: string; message?: string }) {
    super(`${status} ${body.error}: ${body.message}`);
    this.status = status;
    this.body = body;
  }
}

/** Nobody knows whether the call had its effect. It must not be repeated; tell the person, an operator can settle it. */
export class OutcomeUnknown extends Error {}

/** Throw this from a tool that certainly changed nothing: the same call may then be made again at once. */
export class CertainlyFailed extends Error {}

export class Replygate {
  readonly url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.url = url.replace(/\/$/, "");
    this.token = token;
  }

  /**
   * Calls `run(args, key)` if nobody did the same work before; else gives the first call's result. `key` is for the tool's
   * own service, as its idempotency key. Where `run` fails in a way that leaves open whether it did something, the call
   * becomes unknown and is not repeated.
   */
  async guarded<T>(wish: Wish, run: Run<T>, waitSeconds = 25): Promise<Outcome<T>> {
    const leave = (await this.#ask(`/v1/actions?wait=${waitSeconds}`, { effect: "write", ...wish })) as Leave;
    switch (leave.state) {
      case "unguarded":
        return { result: await run(wish.arguments), replayed: false };
      case "duplicate":
        return { result: leave.first.result as T, replayed: true, note: leave.note };
      case "unknown":
        throw new OutcomeUnknown(leave.note);
      case "reserved":
        return this.#run(leave.action, leave.key, wish, run);
    }
  }

  async #run<T>(action: string, key: string, wish: Wish, run: Run<T>): Promise<Outcome<T>> {
    let result: T;
    try {
      result = await run(wish.arguments, key);
    } catch (error) {
      if (error instanceof CertainlyFailed) {
        await this.#settle(action, "failed", { code: error.message.slice(0, 64) || "failed" });
        throw error;
      }
      await this.#settle(action, "unknown", { code: error instanceof Error ? error.name : "thrown" });
      throw new OutcomeUnknown(`${wish.tool} broke off`, { cause: error });
    }
    await this.#settle(action, "done", { result });
    return { result, replayed: false };
  }

  // Settling is idempotent, so it is tried again: what is not settled becomes unknown when its lease is over.
  async #settle(action: string, how: "done" | "failed" | "unknown", body: object): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#ask(`/v1/actions/${action}/${how}`, body);
        return;
      } catch (error) {
        const passing = !(error instanceof ReplygateError) || error.status === 503;
        if (attempt === 3 || !passing) throw error;
      }
    }
  }

  async #ask(path: string, body: object): Promise<unknown> {
    const answer = await fetch(this.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    });
    const told = await answer.json().catch(() => ({ error: "unreadable", message: answer.statusText }));
    if (!answer.ok) throw new ReplygateError(answer.status, told);
    return told;
  }
}
