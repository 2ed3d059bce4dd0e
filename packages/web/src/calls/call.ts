/**
 * Calls to the services behind the page, on its own origin. An operation is named by its method and path, as the tables of
 * @callsign/api have them, and its types come from there; no schema is loaded into the page.
 */
import type {
  ClientRequest,
  Endpoint,
  ledgerApi,
  localNetworkApi,
  ResponseOf,
  scanApi,
  svApi,
  UntypedRequest,
  validatorApi,
  WebConfig,
} from "@callsign/api";
import { abortAfter } from "../browser/page-host.ts";
import { readAccessToken, renewSession } from "../login/session.ts";
import { formatCallAddress } from "./call-address.ts";
import { CallError, readServerWords } from "./call-error.ts";
import { noteRecordTime } from "./network-clock.ts";

export interface ServiceTables {
  readonly validator: typeof validatorApi.endpoints;
  readonly scan: typeof scanApi.endpoints;
  readonly sv: typeof svApi.endpoints;
  readonly ledger: typeof ledgerApi.endpoints;
  readonly localNetwork: typeof localNetworkApi.endpoints;
}
export type ServiceName = keyof ServiceTables;

type OperationsOf<S extends ServiceName> = {
  readonly [Id in keyof ServiceTables[S] as ServiceTables[S][Id] extends infer E extends Endpoint
    ? `${E["method"]} ${E["path"]}`
    : never]: ServiceTables[S][Id];
};

/** Such as `GET /ext/v1/names`. */
export type OperationName<S extends ServiceName> = keyof OperationsOf<S> & string;
type Found<S extends ServiceName, O extends OperationName<S>> = Extract<OperationsOf<S>[O], Endpoint>;
export type CallRequest<S extends ServiceName, O extends OperationName<S>> = ClientRequest<Found<S, O>>;
export type CallAnswer<S extends ServiceName, O extends OperationName<S>> = ResponseOf<Found<S, O>>;

const PATIENCE_MILLISECONDS = 20_000;
const RECORD_TIME_HEADER = "x-callsign-record-time";

export interface Calling {
  readonly signal?: AbortSignal;
  readonly patienceMilliseconds?: number;
  /** In place of the session's: a developer reads as the users of a local network. */
  readonly token?: string;
  /** The base address of another server, on the page's origin, in place of the service's own. */
  readonly base?: string;
}

export async function call<S extends ServiceName, O extends OperationName<S>>(
  config: WebConfig,
  service: S,
  operation: O,
  request: CallRequest<S, O>,
  calling: Calling = {},
): Promise<CallAnswer<S, O>> {
  return (await callWithHeaders(config, service, operation, request, calling)).body;
}

/** The answer with its headers: the record time that it stands at, the scans that agree on it. */
export async function callWithHeaders<S extends ServiceName, O extends OperationName<S>>(
  config: WebConfig,
  service: S,
  operation: O,
  request: CallRequest<S, O>,
  calling: Calling = {},
): Promise<{ readonly body: CallAnswer<S, O>; readonly headers: Headers }> {
  const base = calling.base ?? config.services[service];
  if (base === null) throw new CallError("unreachable", { operation });
  const answer = await send(base, service, operation, request as UntypedRequest, calling);
  // Another server may be behind, or false.
  if (calling.base === undefined) noteRecordTime(answer.headers.get(RECORD_TIME_HEADER));
  return { body: (await readBody(answer, operation)) as CallAnswer<S, O>, headers: answer.headers };
}

/** A token that is refused is renewed once. Scans are public and are sent none. */
async function send(
  base: string,
  service: ServiceName,
  operation: string,
  request: UntypedRequest,
  calling: Calling,
): Promise<Response> {
  if (calling.token !== undefined) return sendOnce(base, operation, request, calling, calling.token);
  const isPublic = service === "scan" || service === "localNetwork";
  const token = isPublic ? null : readAccessToken();
  const answer = await sendOnce(base, operation, request, calling, token);
  if (answer.status !== 401 || token === null) return answer;
  await renewSession();
  const renewed = readAccessToken();
  return renewed === null || renewed === token
    ? answer
    : sendOnce(base, operation, request, calling, renewed);
}

async function sendOnce(
  base: string,
  operation: string,
  { params, query, body }: UntypedRequest,
  { signal, patienceMilliseconds = PATIENCE_MILLISECONDS }: Calling,
  token: string | null,
): Promise<Response> {
  const [method = "GET", path = ""] = operation.split(" ");
  const headers: Record<string, string> = { accept: "application/json" };
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const limit = abortAfter(patienceMilliseconds, signal);
  try {
    return await fetch(base + formatCallAddress(path, params, query), {
      method,
      headers,
      credentials: "omit",
      redirect: "error",
      signal: limit,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new CallError(limit.aborted ? "too-slow" : "unreachable", { operation, cause: error });
  }
}

async function readBody(answer: Response, operation: string): Promise<unknown> {
  const text = await answer.text();
  const body = parseJson(text);
  if (answer.ok) {
    if (text === "") return undefined;
    if (body !== undefined) return body;
    if (!(answer.headers.get("content-type") ?? "").includes("json")) return text;
    throw new CallError("unreadable", { operation, status: answer.status });
  }
  const { serverWords, code } = readServerWords(body ?? text);
  const kind = answer.status === 401 ? "logged-out" : "refused";
  throw new CallError(kind, { operation, status: answer.status, serverWords, code });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
