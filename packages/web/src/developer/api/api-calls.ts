/** Calls that a developer composes: the document of an API, and any operation of it. */
import { abortAfter, readClock } from "../../browser/page-host.ts";
import { CallError, readServerWords } from "../../calls/call-error.ts";
import type { ApiDocument } from "./api-document.ts";

const PATIENCE_MILLISECONDS = 30_000;
/** The page shows so much of an answer. */
const MAX_SHOWN = 100_000;

export async function readApiDocument(address: string, signal: AbortSignal): Promise<ApiDocument> {
  const answer = await send(address, { method: "GET" }, signal);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok && body !== null) return body as ApiDocument;
  const { serverWords } = readServerWords(body);
  throw new CallError("refused", { operation: `GET ${address}`, status: answer.status, serverWords });
}

export interface ComposedCall {
  readonly method: string;
  readonly address: string;
  readonly body: string | null;
  readonly token: string | null;
}

export interface CallResult {
  readonly status: number;
  readonly milliseconds: number;
  readonly text: string;
  readonly isCut: boolean;
}

export async function sendComposed({ method, address, body, token }: ComposedCall): Promise<CallResult> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  if (body !== null) headers["content-type"] = "application/json";
  const begun = readClock();
  const answer = await send(address, { method, headers, ...(body === null ? {} : { body }) });
  const text = format(await answer.text());
  const milliseconds = readClock() - begun;
  return {
    status: answer.status,
    milliseconds,
    text: text.slice(0, MAX_SHOWN),
    isCut: text.length > MAX_SHOWN,
  };
}

async function send(address: string, request: RequestInit, signal?: AbortSignal): Promise<Response> {
  const limit = abortAfter(PATIENCE_MILLISECONDS, signal);
  try {
    return await fetch(address, { ...request, credentials: "omit", redirect: "error", signal: limit });
  } catch (error) {
    const kind = limit.aborted ? "too-slow" : "unreachable";
    throw new CallError(kind, { operation: `${request.method ?? "GET"} ${address}`, cause: error });
  }
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
