/**
 * The lookup channel: one connection that carries many lookups, so that those of one moment travel together. A reader opens
 * it below the prefix of an API, by `Upgrade`, and sends questions, each a line; the answers are lines in the same order. An
 * empty line says that the question has to be sent as a request. Fields are separated by tabs, which no target has and no
 * JSON text; bodies are JSON without line breaks. Texts are UTF-8.
 *
 * A sequencer's members follow their streams in the same way: an answer then comes when there is news, and the answers to
 * later questions behind it.
 *
 * Between answers a server may say more. `CHANNEL_TELLS`, once: from here on its answers stand until it says otherwise.
 * `CHANNEL_MOVED`: those that it gave before may be others now.
 */
import { scanApi } from "./api.ts";

export const LOOKUP_CHANNEL_PROTOCOL = "callsign-lookups";
export const LOOKUP_CHANNEL_PATH = "/ext/v1/lookup-channel";
export const CHANNEL_TELLS = "tells";
export const CHANNEL_MOVED = "moved";

const { lookupAnsEntryByName, lookupAnsEntryByParty, listAnsEntries } = scanApi.endpoints;

/** The operations that scans answer on it. Questions of another kind would only be sent on as requests. */
export const CHANNEL_LOOKUPS: ReadonlySet<object> = new Set([
  lookupAnsEntryByName,
  lookupAnsEntryByParty,
  listAnsEntries,
]);

export interface ChannelQuestion {
  /** Path and query of a GET, without the prefix of the API. */
  readonly target: string;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ChannelAnswer {
  readonly status: number;
  /** The headers that every answer of the API has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function formatQuestion({ target, headers }: ChannelQuestion): string {
  return `${target}${formatHeaders(headers)}\n`;
}

export function parseQuestion(line: string): ChannelQuestion {
  const [target = "", ...headers] = line.split("\t");
  return { target, headers: parseHeaders(headers) };
}

/** Null in place of an answer that no line can carry, or that is not there. */
export function formatChannelAnswer(answer: ChannelAnswer | null): string {
  if (answer === null || answer.body.includes("\n")) return "\n";
  return `${answer.status}${formatHeaders(answer.headers)}\t${answer.body}\n`;
}

/** Null for an empty line. Throws for one that is no answer. */
export function parseChannelAnswer(line: string): ChannelAnswer | null {
  if (line === "") return null;
  const begin = line.indexOf("\t{");
  const [status, ...headers] = line.slice(0, begin).split("\t");
  if (begin < 0 || !/^[2-5]\d\d$/.test(status ?? "")) throw new Error("a lookup channel carries no answer");
  return { status: Number(status), headers: parseHeaders(headers), body: line.slice(begin + 1) };
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  let text = "";
  for (const name in headers) text += `\t${name}:${headers[name]}`;
  return text;
}

function parseHeaders(fields: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(":");
    if (colon > 0) headers[field.slice(0, colon)] = field.slice(colon + 1);
  }
  return headers;
}
