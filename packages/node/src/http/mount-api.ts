/**
 * An API's table with its handlers. Every operation of the table has a handler, and every call passes its rule:
 * the types see to the first, `authorize` to the second.
 */
import type {
  AnyRequest,
  Api,
  Endpoint,
  EndpointTable,
  Rejection,
  ServerRequest,
  TableRequest,
} from "@callsign/api";
import type { Answer } from "./answer.ts";
import type { Call, Incoming } from "./call.ts";
import type { FindReady } from "./ready-answer.ts";
import { type MountedStreams, mountStreams, type StreamParts } from "./streams.ts";

export type Handlers<T extends EndpointTable, Caller> = {
  readonly [Id in keyof T]: (
    request: ServerRequest<T[Id]>,
    call: Call<Caller>,
  ) => Answer<T[Id]> | Promise<Answer<T[Id]>>;
};

/** Throws a `Refusal` or a `LedgerFailure`. */
export interface CallRules<Caller, Identity, Request = AnyRequest> {
  /** Checks the token, before query and body are read: a caller without a valid token learns nothing from refusals. */
  readonly authenticate: (endpoint: Endpoint, incoming: Incoming) => Identity | Promise<Identity>;
  /** The user of a valid token, whose calls are counted; null if there is none. If omitted, an identity that is a text. */
  readonly userOf?: (identity: Identity) => string | null;
  /** True if the caller has shown a valid token. If omitted, every identity but null has. */
  readonly isKnown?: (identity: Identity) => boolean;
  /** Refuses a body by its length, before it is decoded. */
  readonly admitBody?: (endpoint: Endpoint, identity: Identity, characters: number) => void;
  /** Checks the endpoint's rule for this caller and this request. */
  readonly authorize: (
    endpoint: Endpoint,
    request: Request,
    identity: Identity,
    incoming: Incoming,
  ) => Caller | Promise<Caller>;
}

/** Settings of an API that hold for all of its operations. */
interface ApiSettings {
  /** The participant's name in ledger errors. */
  readonly participant?: string;
  /** Runs behind the path and before the token; may keep the call waiting, or refuse it. */
  readonly before?: (incoming: Incoming) => void | Promise<void>;
  /** Tag → the service that metrics name; the API's name for other tags. */
  readonly httpServices?: Readonly<Record<string, string>>;
  /** True if no operation calls another server: then calls need no trace to hand on. */
  readonly callsNobody?: boolean;
  /**
   * GETs without path parameters that a lookup channel carries, though their answers are not ready. Not for an API with
   * ready answers: those of one channel come in the order of its questions.
   */
  readonly channelled?: readonly Endpoint[];
  /** Headers of every answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** The application's mapping of its domain errors to answers; null for an error that it does not know. */
  readonly rejectionOf?: (error: unknown, endpoint: Endpoint) => Rejection | null;
}

type MountedRules = CallRules<unknown, unknown> & Required<Pick<CallRules<unknown, unknown>, "userOf">>;

export interface MountedApi extends ApiSettings {
  readonly api: Api;
  readonly rules: MountedRules;
  readonly handle: (
    endpoint: Endpoint,
    request: AnyRequest,
    call: Call<unknown>,
  ) => Answer<Endpoint> | Promise<Answer<Endpoint>>;
  /** Operations that are websockets as well. */
  readonly streams?: MountedStreams;
  /** Answers without a call of `handle`, where their bytes are ready. */
  readonly findReady?: FindReady;
  /** True if a lookup channel gives such answers, too. */
  readonly hasReadyChannel?: boolean;
  /** Told of each such answer that is given. */
  readonly onReady?: (endpoint: Endpoint) => void;
  /** Calls the listener whenever such an answer may have become another one. */
  readonly onReadyChanged?: (listener: () => void) => void;
}

export interface MountParts<T extends EndpointTable, Caller, Identity>
  extends CallRules<Caller, Identity, TableRequest<T>>,
    ApiSettings {
  readonly handlers: Handlers<T, Caller>;
  readonly streams?: StreamParts<T, Caller, Identity>;
}

export function mountApi<T extends EndpointTable, Caller, Identity>(
  api: Api<T>,
  parts: MountParts<T, Caller, Identity>,
): MountedApi {
  const {
    handlers,
    streams,
    authenticate,
    authorize,
    userOf = findUser,
    isKnown,
    admitBody,
    ...settings
  } = parts;
  type Handler = (...given: [AnyRequest, Call<unknown>]) => ReturnType<MountedApi["handle"]>;
  const byId = handlers as unknown as Readonly<Record<string, Handler>>;
  const rules = { authenticate, authorize, userOf, isKnown, admitBody };
  return {
    ...settings,
    api,
    rules: rules as unknown as MountedRules,
    handle: (endpoint, request, call) => {
      const handler = byId[endpoint.id];
      if (handler === undefined) throw new Error(`${endpoint.id} has no handler`);
      return handler(request, call);
    },
    ...(streams === undefined ? {} : { streams: mountStreams(streams) }),
  };
}

function findUser(identity: unknown): string | null {
  return typeof identity === "string" ? identity : null;
}

/** For APIs that need no token at all. */
export const openToAll: CallRules<null, null> = { authenticate: () => null, authorize: () => null };
