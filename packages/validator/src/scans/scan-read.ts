/** A question to scans: one request or several, and the value that is made of their answers. */
import {
  type ClientRequest,
  type Endpoint,
  type ResponseOf,
  registryApi,
  scanApi,
  type UntypedRequest,
} from "@callsign/api";

/** The registry is served by scans, beside their own operations. */
const OPERATIONS = { ...scanApi.endpoints, ...registryApi.endpoints };
type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;
export type BodyOf<Id extends OperationId> = ResponseOf<Operations[Id]>;

/** The body that stands for a refusal, where it is a value: a lookup that finds nothing is refused with 404. */
export type Substitute = (status: number, message: string) => { readonly body: unknown } | undefined;

export interface ScanRequest {
  readonly endpoint: Endpoint;
  readonly request: UntypedRequest;
  readonly substitute: Substitute | undefined;
}

export interface ScanRead<T> {
  /** The thing that is read, in plain words for the log. */
  readonly what: string;
  readonly requests: readonly ScanRequest[];
  /** Throws if the bodies, which fit their schemas, are no valid answer. */
  readonly decode: (bodies: readonly unknown[]) => T;
  /** The part of a value that scans have to agree on; all of it if omitted. */
  compared?(value: T): unknown;
}

/** The body is the value. */
export const whole = <T>(body: T): T => body;

/** Null for a lookup that finds nothing. */
export const noneIsNull: Substitute = (status) => (status === 404 ? { body: null } : undefined);

export function requestTo<Id extends OperationId>(
  id: Id,
  request: ClientRequest<Operations[Id]>,
  substitute?: Substitute,
): ScanRequest {
  return { endpoint: OPERATIONS[id], request: request as UntypedRequest, substitute };
}

/** A read of one operation, whose value is made of its answer. */
export function readOf<Id extends OperationId, T>(
  id: Id,
  request: ClientRequest<Operations[Id]>,
  { what, decode, compared }: SingleRead<BodyOf<Id>, T>,
): ScanRead<T> {
  const read = {
    what,
    requests: [requestTo(id, request)],
    decode: ([body]: readonly unknown[]) => decode(body as BodyOf<Id>),
  };
  return compared === undefined ? read : { ...read, compared };
}

/** The same, with null if there is none. Scans differ in the wording of that. */
export function lookUp<Id extends OperationId, T>(
  id: Id,
  request: ClientRequest<Operations[Id]>,
  { what, decode }: SingleRead<BodyOf<Id>, T>,
): ScanRead<T | null> {
  return {
    what,
    requests: [requestTo(id, request, noneIsNull)],
    decode: ([body]) => (body === null ? null : decode(body as BodyOf<Id>)),
  };
}

interface SingleRead<B, T> {
  readonly what: string;
  readonly decode: (body: B) => T;
  readonly compared?: (value: T) => unknown;
}

/** Equal for reads that ask for the same and make the same of it. */
export function keyOfRead({ what, requests }: Pick<ScanRead<never>, "what" | "requests">): string {
  const asked = requests.map(({ endpoint, request: { params, query, body } }) => [
    ...[endpoint.id, params, query === undefined ? query : withoutBigints(query), body],
  ]);
  return `${what} ${JSON.stringify(asked)}`;
}

/** Only queries have them. A replacer of JSON would be called for every value of a read. */
function withoutBigints(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isBigint = (value: unknown) => typeof value === "bigint";
  if (!Object.values(query).some(isBigint)) return query;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isBigint(value) ? `${value}` : value]),
  );
}
