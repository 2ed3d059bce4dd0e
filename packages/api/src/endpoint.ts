/**
 * An operation on the wire, as data. An API is a table of operations: routes, validation,
 * typed clients, the OpenAPI document and the round-trip test are read from it, and nothing else repeats it.
 * No web framework is known here.
 */
import type { z } from "zod";
import type { AuthRule } from "./auth-rule.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The body of a successful answer. */
export type Success =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "text" }
  | { readonly kind: "empty" };

export interface EndpointDefinition {
  readonly method: Method;
  /** `/v0/ans-entries/by-name/{name}`: a parameter is a whole segment. */
  readonly path: `/${string}`;
  readonly tags: readonly [string, ...string[]];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly auth: AuthRule;
  /** Path parameters, after percent-decoding. */
  readonly params?: z.ZodObject;
  /** Query parameters: each takes the text of the query string, an array takes a repeated parameter. */
  readonly query?: z.ZodObject;
  /** The JSON body of the request. Without it, whatever a caller sends is ignored. */
  readonly body?: z.ZodType;
  /** No body at all is read as `{}`. */
  readonly bodyMayBeAbsent?: true;
  readonly success: Success;
  /** The status of success, if not 200. */
  readonly successStatus?: 201;
  /** The other statuses that a caller has to expect. */
  readonly errors: readonly number[];
  /** The bodies of errors that are not the API's error body, by status. */
  readonly errorBodies?: Readonly<Record<number, z.ZodType>>;
  /**
   * The operation is also a websocket at the same path: the caller's first frame is the request's body, and each
   * frame of the server one such item, or the error body before it closes.
   */
  readonly streamItem?: z.ZodType;
  /** A caller who accepts `text/event-stream` gets server-sent events in place of the answer. */
  readonly hasEvents?: true;
}

export interface Endpoint extends EndpointDefinition {
  /** The operation's id, unique in its API. It is the key of its table. */
  readonly id: string;
}

export type EndpointTable = Readonly<Record<string, Endpoint>>;

export interface Api<T extends EndpointTable = EndpointTable> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The prefix that clients' base urls carry. Servers answer under it and without it. */
  readonly basePath: "" | `/${string}`;
  /** Requests are read and refused as Splice's applications do, or as the JSON Ledger API does. */
  readonly dialect: "splice" | "ledger";
  /** Tag → what it means. */
  readonly tags: Readonly<Record<string, string>>;
  readonly errorBody: z.ZodType;
  readonly maxBodyBytes: number;
  readonly endpoints: T;
}

/** A base URL of the API with its prefix, which the given one may leave out. */
export function baseUrlOf({ basePath }: Pick<Api, "basePath">, url: string): string {
  return url.endsWith(basePath) ? url : url + basePath;
}

type Shared = Partial<EndpointDefinition>;
type Remaining<S extends Shared> = Omit<EndpointDefinition, keyof S> & Shared;

type Identified<S extends Shared, D extends Readonly<Record<string, Remaining<S>>>> = {
  readonly [Id in keyof D & string]: Omit<S, keyof D[Id]> & D[Id] & { readonly id: Id };
};

/**
 * The operations of a group, `defineEndpoints({ tags: ["users"] })({ listUsers: … })`: first the properties that they
 * share, each of which an operation may replace by its own.
 */
export function defineEndpoints<const S extends Shared>(shared: S) {
  return <const D extends Readonly<Record<string, Remaining<S>>>>(definitions: D): Identified<S, D> => {
    const entries = Object.entries(definitions).map(([id, own]) => [id, { ...shared, ...own, id }]);
    return Object.fromEntries(entries) as Identified<S, D>;
  };
}

type Merged<T extends readonly EndpointTable[]> = T extends readonly [
  infer First,
  ...infer Rest extends readonly EndpointTable[],
]
  ? First & Merged<Rest>
  : unknown;

/** One table of several. An id that stands in two of them is a mistake in our own source. */
export function mergeEndpoints<const T extends readonly EndpointTable[]>(...tables: T): Merged<T> {
  const merged: Record<string, Endpoint> = {};
  for (const endpoint of tables.flatMap((table) => Object.values(table))) {
    if (Object.hasOwn(merged, endpoint.id)) throw new Error(`two operations are called ${endpoint.id}`);
    merged[endpoint.id] = endpoint;
  }
  return merged as Merged<T>;
}

export function json<S extends z.ZodType>(schema: S): { readonly kind: "json"; readonly schema: S } {
  return { kind: "json", schema };
}

export const text = { kind: "text" } as const satisfies Success;
export const empty = { kind: "empty" } as const satisfies Success;
