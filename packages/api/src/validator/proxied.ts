/** Operations of scans under the scan proxy: the same requests and answers, for callers with a token. */
import type { Endpoint, EndpointTable } from "../endpoint.ts";

const PREFIX = "/v0/scan-proxy";
export type ProxiedId<Id extends string> = `scanProxy${Capitalize<Id>}`;
/** The version of scan's path moves in front; the registry's paths have theirs further behind. */
type ProxiedPath<Path extends string> = Path extends `/v0${infer Rest}`
  ? `${typeof PREFIX}${Rest}`
  : `${typeof PREFIX}${Path}`;

export type Proxied<T extends EndpointTable> = {
  readonly [Id in keyof T & string as ProxiedId<Id>]: Omit<
    T[Id],
    "id" | "path" | "tags" | "auth" | "errors"
  > & {
    readonly id: ProxiedId<Id>;
    readonly path: ProxiedPath<T[Id]["path"]>;
    readonly tags: readonly ["scan-proxy"];
    readonly auth: "user";
    readonly errors: readonly number[];
  };
};

export function proxied<const T extends EndpointTable>(operations: T): Proxied<T> {
  const entries = Object.values<Endpoint>(operations).map((operation) => {
    const id = proxiedId(operation.id);
    const path = PREFIX + operation.path.replace(/^\/v0(?=\/)/, "");
    const errors = listErrors(operation);
    return [id, { ...operation, id, path, tags: ["scan-proxy"], auth: "user", errors }];
  });
  return Object.fromEntries(entries) as Proxied<T>;
}

export function proxiedId<Id extends string>(id: Id): ProxiedId<Id> {
  return `scanProxy${id.charAt(0).toUpperCase()}${id.slice(1)}` as ProxiedId<Id>;
}

/** Too many calls are a scan's trouble and no answer of it. */
function listErrors({ errors }: Endpoint): readonly number[] {
  const statuses = new Set([...errors.filter((status) => status !== 429), 401, 502, 503]);
  return [...statuses].sort((a, b) => a - b);
}
