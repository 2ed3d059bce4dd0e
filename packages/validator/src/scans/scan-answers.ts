/**
 * The answers to one read. Those of the same bytes are decoded once, and are one object; only answers of other bytes are
 * compared by their values.
 */
import { findSpliceMessage, HttpError, readAnswer, type UnreadAnswer } from "@callsign/api";
import { describeError } from "../errors/describe-error.ts";
import type { Said } from "./agreement.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { ScanRead, ScanRequest } from "./scan-read.ts";

export class ScanAnswers<T> {
  readonly #read: ScanRead<T>;
  /** At most one a scan. */
  readonly #known: { readonly answers: readonly UnreadAnswer[]; readonly said: Said<T> }[] = [];

  constructor(read: ScanRead<T>) {
    this.#read = read;
  }

  /** Of the answers to all requests of the read, in their order. */
  decode(answers: readonly UnreadAnswer[]): Said<T> {
    const known = this.#known.find((each) => isSameBytes(each.answers, answers));
    if (known !== undefined) return known.said;
    const said = decode(this.#read, answers);
    this.#known.push({ answers, said });
    return said;
  }
}

function isSameBytes(a: readonly UnreadAnswer[], b: readonly UnreadAnswer[]): boolean {
  return (
    a.length === b.length && a.every(({ status, text }, i) => status === b[i]?.status && text === b[i].text)
  );
}

function decode<T>(read: ScanRead<T>, answers: readonly UnreadAnswer[]): Said<T> {
  const bodies: unknown[] = [];
  for (const [i, request] of read.requests.entries()) {
    const answer = answers[i];
    if (answer === undefined) return { kind: "failure", cause: "no answer", reason: "no answer" };
    const body = readBody(request, answer);
    if ("kind" in body) return body;
    bodies.push(body.body);
  }
  try {
    const { compared = (whole: T): unknown => whole } = read;
    const value = read.decode(bodies);
    const [only] = answers;
    const text = answers.length === 1 && only?.status === 200 ? only.text : null;
    return { kind: "value", value, text, key: once(() => canonicalJson(compared(value))) };
  } catch (error) {
    return { kind: "failure", cause: "malformed", reason: describeError(error) };
  }
}

type Refused = Exclude<Said<never>, { readonly kind: "value" }>;

function readBody(
  { endpoint, substitute }: ScanRequest,
  answer: UnreadAnswer,
): { readonly body: unknown } | Refused {
  try {
    return { body: readAnswer(endpoint, answer) };
  } catch (error) {
    if (!(error instanceof HttpError))
      return { kind: "failure", cause: "malformed", reason: describeError(error) };
    const { status } = error;
    // Text comes from a server in front of a scan.
    const message = typeof error.body === "string" ? undefined : findSpliceMessage(error);
    const failure = { kind: "failure", cause: `status ${status}`, reason: error.message } as const;
    if (message === undefined || isStarting(status, message)) return failure;
    const instead = substitute?.(status, message);
    if (instead !== undefined) return instead;
    // An overloaded or broken scan says nothing about the network; nor does a status that the operation does not have.
    if (status === 429 || status >= 500 || !endpoint.errors.includes(status)) return failure;
    return { kind: "refusal", status, message, key: once(() => canonicalJson([status, message])) };
  }
}

/** A scan without routes, or without rules, is still starting: it does not say that a name is free. */
function isStarting(status: number, message: string): boolean {
  return status === 404 && /^(The requested resource could not be found|No DsoRules)/.test(message);
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
