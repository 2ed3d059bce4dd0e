interface CallFailureDetails {
  readonly operation: string;
  readonly status?: number;
  readonly serverWords?: string | null;
  readonly code?: string | null;
  readonly cause?: unknown;
}

/** A call that did not succeed. `serverWords` is the server's own sentence, which is shown as it is. */
export class CallError extends Error {
  readonly kind: "unreachable" | "too-slow" | "refused" | "logged-out" | "unreadable";
  readonly status: number | null;
  readonly serverWords: string | null;
  /** The code of a ledger error, such as `CONTRACT_NOT_FOUND`. */
  readonly code: string | null;

  constructor(kind: CallError["kind"], given: CallFailureDetails) {
    super(`${given.operation}: ${given.serverWords ?? kind}`, { cause: given.cause });
    this.kind = kind;
    this.status = given.status ?? null;
    this.serverWords = given.serverWords ?? null;
    this.code = given.code ?? null;
  }

  /** True if the same call may succeed a little later. One that was too slow has been waited for long enough. */
  get isPassing(): boolean {
    if (this.kind === "unreachable") return true;
    return this.status === 429 || (this.status !== null && this.status >= 502);
  }
}

/** Splice's applications answer `{error}`, the ledger API `{code, cause}`. */
export function readServerWords(body: unknown): { serverWords: string | null; code: string | null } {
  if (typeof body === "string") return { serverWords: body === "" ? null : body, code: null };
  if (typeof body !== "object" || body === null) return { serverWords: null, code: null };
  const text = (key: string) => {
    const value: unknown = Reflect.get(body, key);
    return typeof value === "string" ? value : null;
  };
  return { serverWords: text("error") ?? text("cause"), code: text("code") };
}
