/**
 * Names, for users from the validator's scan proxy, which repeats the operations as several scans agree. Visitors without a
 * session read them from the scan behind the page.
 */
import type { UseQueryResult } from "@tanstack/react-query";
import type { CallAnswer, CallRequest } from "../calls/call.ts";
import { type ReadOptions, type ReadPages, useRead, useReadPages } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { useSession } from "../login/session.ts";

type NamesOperation =
  | "GET /ext/v1/names"
  | "GET /ext/v1/parties/{party}/names"
  | "GET /ext/v1/names/{name}/availability"
  | "GET /ext/v1/names/{name}/history";
type Answer<O extends NamesOperation> = CallAnswer<"scan", O>;
type Request<O extends NamesOperation> = CallRequest<"scan", O>;

/** The proxy's operation has the same shapes, so it is called under scan's types. */
function useSource<O extends NamesOperation>(operation: O): readonly ["scan", O] {
  const { scan, validator } = useWebConfig().services;
  const isUser = useSession().kind === "in" && validator !== null;
  const proxied = operation.replace(" ", " /v0/scan-proxy");
  return (scan === null || isUser ? ["validator", proxied] : ["scan", operation]) as readonly ["scan", O];
}

/** `name` is the chosen one or the full one; an empty name asks nothing. */
export function useAvailability(
  name: string,
  options: ReadOptions = {},
): UseQueryResult<Answer<"GET /ext/v1/names/{name}/availability">> {
  const [service, operation] = useSource("GET /ext/v1/names/{name}/availability");
  return useRead(service, operation, { params: { name } }, { ...options, isWanted: name !== "" });
}

function usePagesOf<O extends NamesOperation>(
  operation: O,
  requestAfter: (cursor: string | null) => Request<O>,
  nextOf: (answer: Answer<O>) => string | null,
): ReadPages<Answer<O>> {
  const [service, found] = useSource(operation);
  return useReadPages(service, found, requestAfter, nextOf);
}

const PAGE_SIZE = 20;

function afterName(cursor: string | null) {
  return cursor === null ? { page_size: PAGE_SIZE } : { page_size: PAGE_SIZE, after: cursor };
}

export function useNamesWithPrefix(prefix: string): ReadPages<Answer<"GET /ext/v1/names">> {
  return usePagesOf(
    "GET /ext/v1/names",
    (cursor) => ({ query: { name_prefix: prefix, ...afterName(cursor) } }),
    ({ next }) => next,
  );
}

export function useNamesOfParty(party: string): ReadPages<Answer<"GET /ext/v1/parties/{party}/names">> {
  return usePagesOf(
    "GET /ext/v1/parties/{party}/names",
    (cursor) => ({ params: { party }, query: afterName(cursor) }),
    ({ next }) => next,
  );
}

export function useNameHistory(name: string): ReadPages<Answer<"GET /ext/v1/names/{name}/history">> {
  return usePagesOf(
    "GET /ext/v1/names/{name}/history",
    (cursor) => ({
      params: { name },
      query: { page_size: PAGE_SIZE, ...(cursor === null ? {} : { after: BigInt(cursor) }) },
    }),
    ({ next }) => next,
  );
}
