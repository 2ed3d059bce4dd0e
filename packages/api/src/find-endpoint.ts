import type { Api, Endpoint, EndpointTable, Method } from "./endpoint.ts";
import { listPathParameters, matchSegments, parsePathTemplate, type Segment } from "./path-template.ts";

export type Found<E extends Endpoint = Endpoint> =
  | { readonly kind: "found"; readonly endpoint: E; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "wrong-method"; readonly endpoints: readonly E[] }
  | { readonly kind: "unknown-path" };

/**
 * The operation that a request is for, given the path without prefix and query. Of two that fit, the one with fewer
 * parameters is meant: `/v2/parties/participant-id` is no party. HEAD asks what GET would answer. The ledger API
 * overlooks a slash at the end. Parameters are still percent-encoded.
 */
export function findEndpoint(api: Api, method: string, path: string): Found {
  if (!path.startsWith("/")) return { kind: "unknown-path" };
  const wantedPath =
    api.dialect === "ledger" && path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const wantedMethod = method === "HEAD" ? "GET" : method;
  const parts = wantedPath.slice(1).split("/");
  const fits: Endpoint[] = [];
  for (const { endpoint, segments } of endpointsByLength(api.endpoints).get(parts.length) ?? []) {
    const params = matchSegments(segments, parts);
    if (params === undefined) continue;
    if (endpoint.method === wantedMethod) return { kind: "found", endpoint, params };
    fits.push(endpoint);
  }
  return fits.length === 0 ? { kind: "unknown-path" } : { kind: "wrong-method", endpoints: fits };
}

export function methodsOf(endpoints: readonly Endpoint[]): readonly Method[] {
  return endpoints.map(({ method }) => method);
}

type ByLength = ReadonlyMap<
  number,
  readonly { readonly endpoint: Endpoint; readonly segments: readonly Segment[] }[]
>;

/** Tables are constants: each is sorted once, by the number of segments, fewer parameters first. */
const sortedTables = new WeakMap<EndpointTable, ByLength>();

function endpointsByLength(table: EndpointTable): ByLength {
  const known = sortedTables.get(table);
  if (known !== undefined) return known;
  const sorted = Object.values(table).toSorted((a, b) => countParameters(a) - countParameters(b));
  const parsed = sorted.map((endpoint) => ({ endpoint, segments: parsePathTemplate(endpoint.path) }));
  const byLength = Map.groupBy(parsed, ({ segments }) => segments.length);
  sortedTables.set(table, byLength);
  return byLength;
}

function countParameters({ path }: Endpoint): number {
  return listPathParameters(path).length;
}
