/** Failures of outgoing connections in words from which an operator sees what to do. */
import { errorCodeOf } from "../host/error-code.ts";
import { type Exit, formatAddress } from "./exits.ts";
import { explainTlsFailure } from "./explain-tls-failure.ts";

/** Its text stands alone: callers show it without its cause. `code` is that of the failure. */
class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  readonly code: string | undefined;

  constructor(text: string, code: string | undefined) {
    super(text);
    this.code = code;
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"],
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The error as it is where nothing more can be said. */
export function explainFailure(error: unknown, target: URL, { proxy, tls }: Exit): unknown {
  if (!(error instanceof Error)) return error;
  const code = errorCodeOf(error);
  const told = explainTlsFailure(error, { code, target, tls }) ?? textOf(error);
  if (proxy === undefined) return told === error.message ? error : new ConnectionFailure(told, code);
  const name = `the forward proxy ${formatAddress(proxy)}`;
  const status = /^Proxy response \((\d+)\)|\((407)\)$/.exec(told)?.slice(1).find(Boolean);
  if (status !== undefined) {
    const refused = `${name} does not connect to ${target.host}: it answers ${status}${hintOf(status)}`;
    return new ConnectionFailure(refused, code);
  }
  const isUnreachable = code !== undefined && UNREACHABLE.has(code);
  const problem = isUnreachable ? `${name} cannot be reached: ${told}` : `${told} (through ${name})`;
  return new ConnectionFailure(problem, code);
}

function hintOf(status: string): string {
  if (status === "407") return ", it asks for credentials, which are not supported";
  if (status === "403") return ", its rules forbid it";
  return /^50[234]$/.test(status) ? ", it cannot reach that server" : "";
}

/** An error of several addresses has no text of its own. */
function textOf(error: Error): string {
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each: unknown) => (each instanceof Error ? each.message : "")).join(", ");
}
