/**
 * The routes of one port. Every API answers under its base path and without it; its operations come before documents,
 * and the APIs in the order in which they are mounted.
 */
import { type Endpoint, findEndpoint, methodsOf, percentDecode, type Rejection } from "@callsign/api";
import { type Dialect, dialectOf, type Operation } from "./dialect.ts";
import { type Document, listDocuments } from "./documents.ts";
import type { MountedApi } from "./mount-api.ts";
import type { Upgrades } from "./upgrades.ts";

/** An operation with the parameters of its path, still percent-encoded. */
export interface RoutedOperation extends Operation {
  readonly kind: "operation";
  readonly params: Readonly<Record<string, string>>;
}

export type Route =
  | RoutedOperation
  | { readonly kind: "document"; readonly document: Document }
  | { readonly kind: "unknown-path"; readonly dialect: Dialect }
  /** The path exists, or cannot be read at all. */
  | { readonly kind: "refused"; readonly rejection: (traceId: string) => Rejection };

export class Routes {
  /** The dialect of the first API: answers requests that are no API's. */
  readonly #dialect: Dialect;
  readonly #prefixed: readonly {
    readonly mount: MountedApi;
    readonly prefix: string;
    /** The prefix with a slash: paths below it begin so. */
    readonly start: string;
  }[];
  readonly #documents: ReadonlyMap<string, Document>;
  readonly #upgrades: Upgrades | null;

  constructor(mounts: readonly [MountedApi, ...MountedApi[]], upgrades: Upgrades | null) {
    this.#dialect = dialectOf(mounts[0].api);
    this.#upgrades = upgrades;
    this.#prefixed = mounts.flatMap((mount) =>
      [...new Set([mount.api.basePath, ""])].map((prefix) => ({ mount, prefix, start: `${prefix}/` })),
    );
    const documents = this.#prefixed.flatMap(({ mount, prefix }) => listDocuments(mount, prefix));
    // The first of a path stays.
    this.#documents = new Map(documents.reverse().map((document) => [document.path, document]));
  }

  /** The dialect of the route's API. */
  dialectOf(route: Route): Dialect {
    return route.kind === "operation" ? dialectOf(route.mount.api) : this.#dialect;
  }

  find(method: string, path: string): Route {
    const dialect = this.#dialect;
    if (percentDecode(path) === undefined) return { kind: "refused", rejection: dialect.malformedTarget };
    let refused: Route | undefined;
    for (const { mount, prefix, start } of this.#prefixed) {
      // The JSON Ledger API takes repeated slashes as one.
      const sought = mount.api.dialect === "ledger" ? path.replaceAll(/\/{2,}/g, "/") : path;
      if (!sought.startsWith(start)) continue;
      const found = findEndpoint(mount.api, method, sought.slice(prefix.length));
      if (found.kind === "found")
        return { kind: "operation", mount, endpoint: found.endpoint, params: found.params };
      if (found.kind === "wrong-method") refused ??= this.#wrongMethod(mount, found.endpoints, method);
    }
    const document = isRead(method) ? this.#documents.get(path) : undefined;
    return document === undefined
      ? (refused ?? { kind: "unknown-path", dialect })
      : { kind: "document", document };
  }

  /** A plain GET of a stream is told that it needs an upgrade. */
  #wrongMethod(mount: MountedApi, endpoints: readonly Endpoint[], method: string): Route {
    const upgrades = this.#upgrades;
    if (upgrades !== null && isRead(method) && endpoints.some((endpoint) => mount.streams?.has(endpoint)))
      return { kind: "refused", rejection: (traceId) => upgrades.refusePlain(mount, traceId) };
    return { kind: "refused", rejection: () => dialectOf(mount.api).wrongMethod(methodsOf(endpoints)) };
  }
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
