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
  const { byPath, byLength } = sortTable(api.endpoints);
  const whole = byPath.get(wantedPath)?.find((endpoint) => endpoint.method === wantedMethod);
  if (whole !== undefined) return { kind: "found", endpoint: whole, params: {} };
  const parts = wantedPath.slice(1).split("/");
  const fits: Endpoint[] = [];
  for (const { endpoint, segments } of byLength.get(parts.length) ?? []) {
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

interface SortedTable {
  /** Operations without parameters, by their path. */
  readonly byPath: ReadonlyMap<string, readonly Endpoint[]>;
  /** All of them by the number of segments, fewer parameters first. */
  readonly byLength: ReadonlyMap<
    number,
    readonly { readonly endpoint: Endpoint; readonly segments: readonly Segment[] }[]
  >;
}

/** Tables are constants: each is sorted once. */
const sortedTables = new WeakMap<EndpointTable, SortedTable>();

function sortTable(table: EndpointTable): SortedTable {
  const known = sortedTables.get(table);
  if (known !== undefined) return known;
  const endpoints = Object.values(table).toSorted((a, b) => countParameters(a) - countParameters(b));
  const parsed = endpoints.map((endpoint) => ({ endpoint, segments: parsePathTemplate(endpoint.path) }));
  const sorted = {
    byPath: Map.groupBy(
      endpoints.filter((endpoint) => countParameters(endpoint) === 0),
      ({ path }) => path,
    ),
    byLength: Map.groupBy(parsed, ({ segments }) => segments.length),
  };
  sortedTables.set(table, sorted);
  return sorted;
}

function countParameters({ path }: Endpoint): number {
  return listPathParameters(path).length;
}
