/**
 * Finds out who answers at a URL, by small calls that need no token. Operators swap URLs easily: the error of a call that
 * failed then says who is there instead.
 */
import {
  parseJsonText,
  participantAdminApi,
  scanApi,
  sequencerApi,
  svApi,
  validatorApi,
} from "@callsign/api";
import type { Host, HttpClient } from "../host/host.ts";
import type { OutgoingOptions } from "../host/outgoing.ts";
import { type FetchLimits, fetchText } from "./fetch-text.ts";

const PROBE_MILLISECONDS = 3000;
const MAX_BYTES = 16 * 1024;

interface Probe {
  /** A noun with its article, for sentences. */
  readonly name: string;
  readonly basePath: string;
  readonly path: string;
  /** The keys of the JSON that only this kind of server answers with: by status. */
  readonly answers: Readonly<Record<number, readonly string[]>>;
}

const version = { path: "/version", answers: { 200: ["version", "commit_ts"] } } as const;
const refused = ["code", "cause", "grpcCodeValue"];

const PROBES = {
  scan: { name: "a scan", basePath: scanApi.basePath, ...version },
  sv: { name: "an SV app", basePath: svApi.basePath, ...version },
  validator: { name: "a validator", basePath: validatorApi.basePath, ...version },
  sequencer: { name: "a sequencer", basePath: sequencerApi.basePath, ...version },
  participant: {
    name: "a participant's ledger API",
    ...{ basePath: "", path: "/v2/version", answers: { 200: ["version", "features"] } },
  },
  "participant-admin": {
    name: "a participant's admin API",
    basePath: participantAdminApi.basePath,
    ...{ path: "/v1/sequencer-connections", answers: { 200: ["urls"], 401: refused, 403: refused } },
  },
} as const satisfies Readonly<Record<string, Probe>>;

export type ServerRole = keyof typeof PROBES;
const ROLES = Object.keys(PROBES) as ServerRole[];

export type ServerDescription =
  /** A gateway answers as several. */
  | { readonly kind: "known"; readonly roles: readonly ServerRole[] }
  | { readonly kind: "unknown"; readonly status: number }
  | { readonly kind: "nobody"; readonly problem: string };

interface DescribeOptions extends OutgoingOptions {
  readonly signal?: AbortSignal;
}

/** The URL may have the path of an API, such as `/api/scan`; the others are looked for beside it. */
export async function describeServer(
  url: string,
  host: Host,
  { signal, ...options }: DescribeOptions = {},
): Promise<ServerDescription> {
  const root = rootOf(url);
  if (root === undefined)
    return { kind: "nobody", problem: `"${url.slice(0, 200)}" is no http or https URL` };
  let client: HttpClient;
  try {
    client = host.http.openClient(options);
  } catch (error) {
    return { kind: "nobody", problem: reasonOf(error) };
  }
  const limits = { host, milliseconds: PROBE_MILLISECONDS, maxBytes: MAX_BYTES, stopping: signal };
  try {
    const found = await Promise.all(ROLES.map((role) => probe(client, root, PROBES[role], limits)));
    const roles = ROLES.filter((_, i) => found[i]?.kind === "answer" && found[i].isRole);
    if (roles.length > 0) return { kind: "known", roles };
    const answer = found.find(({ kind }) => kind === "answer");
    if (answer?.kind === "answer") return { kind: "unknown", status: answer.status };
    const [first] = found;
    return { kind: "nobody", problem: first?.kind === "failure" ? first.problem : "no answer" };
  } finally {
    client.close();
  }
}

/** The description in words that follow "is answered by". */
export function formatServer(description: ServerDescription): string {
  switch (description.kind) {
    case "known":
      return description.roles.map((role) => PROBES[role].name).join(" and ");
    case "unknown":
      return `a server that is no part of a network (status ${description.status})`;
    case "nobody":
      return `nobody: ${description.problem}`;
  }
}

/** The other role that answers at the URL, such as `a scan`; null if this one does, or none is recognised. */
export async function findOtherRole(
  { url, role }: { readonly url: string; readonly role: ServerRole },
  host: Host,
  options: DescribeOptions = {},
): Promise<string | null> {
  const description = await describeServer(url, host, options);
  const isOther = description.kind === "known" && !description.roles.includes(role);
  return isOther ? formatServer(description) : null;
}

/** A sentence if another server than this answers at the URL; undefined if this one does. */
export async function explainWrongServer(
  { url, name, role }: { readonly url: string; readonly name: string; readonly role: ServerRole },
  host: Host,
  options: DescribeOptions = {},
): Promise<string | undefined> {
  const description = await describeServer(url, host, options);
  if (description.kind === "known" && description.roles.includes(role)) return undefined;
  return `${name} ${url} is answered by ${formatServer(description)}; it must be the URL of ${PROBES[role].name}`;
}

type Probed =
  | { readonly kind: "answer"; readonly isRole: boolean; readonly status: number }
  | { readonly kind: "failure"; readonly problem: string };

async function probe(client: HttpClient, root: string, asked: Probe, limits: FetchLimits): Promise<Probed> {
  try {
    const { status, text } = await fetchText(client, root + asked.basePath + asked.path, {}, limits);
    const keys = asked.answers[status];
    const isRole = keys !== undefined && hasKeys(text, keys);
    return { kind: "answer", isRole, status };
  } catch (error) {
    return { kind: "failure", problem: reasonOf(error) };
  }
}

function hasKeys(text: string, keys: readonly string[]): boolean {
  const value: unknown = parseJsonText(text);
  return typeof value === "object" && value !== null && keys.every((key) => Object.hasOwn(value, key));
}

function rootOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const path = parsed.pathname.replace(/\/+$/, "");
  const suffix = ROLES.map((role) => PROBES[role].basePath).find(
    (base) => base !== "" && path.endsWith(base),
  );
  return parsed.origin + path.slice(0, path.length - (suffix?.length ?? 0));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : "unknown";
}
