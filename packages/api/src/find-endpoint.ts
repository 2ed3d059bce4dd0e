import type { Api, Endpoint, Method } from "./endpoint.ts";
import { listPathParameters, matchPath } from "./path-template.ts";

export type Found<E extends Endpoint = Endpoint> =
  | { readonly kind: "found"; readonly endpoint: E; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "wrong-method"; readonly allowed: readonly Method[] }
  | { readonly kind: "unknown-path" };

/**
 * Which operation a request is for, given the path without prefix and query. Of two that fit, the one with fewer
 * parameters is meant: `/v2/parties/participant-id` is no party. HEAD asks what GET would answer. The ledger API
 * overlooks a slash at the end.
 */
export function findEndpoint(api: Api, method: string, path: string): Found {
  const wantedPath = api.dialect === "ledger" ? path.replace(/(?<=.)\/$/, "") : path;
  const fits = Object.values(api.endpoints)
    .flatMap((endpoint) => {
      const params = matchPath(endpoint.path, wantedPath);
      return params === undefined ? [] : [{ endpoint, params }];
    })
    .toSorted((a, b) => countParameters(a.endpoint) - countParameters(b.endpoint));
  const wantedMethod = method === "HEAD" ? "GET" : method;
  const found = fits.find(({ endpoint }) => endpoint.method === wantedMethod);
  if (found !== undefined) return { kind: "found", ...found };
  if (fits.length === 0) return { kind: "unknown-path" };
  return { kind: "wrong-method", allowed: fits.map(({ endpoint }) => endpoint.method) };
}

function countParameters(endpoint: Endpoint): number {
  return listPathParameters(endpoint.path).length;
}
