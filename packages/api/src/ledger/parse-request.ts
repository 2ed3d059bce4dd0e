/**
 * Reads a request as the JSON Ledger API does: path and query first, then (the token, which is the server's own)
 * the body, whatever its content type says. What cannot be read is a ledger error, in Canton's words.
 */
import { type LedgerError, ledgerError } from "@callsign/ledger";
import type { Endpoint } from "../endpoint.ts";
import type { ServerRequest } from "../messages.ts";
import { percentDecode } from "../path-template.ts";
import { parseQueryString, selectValues } from "../query-string.ts";
import type { RawRequest } from "../raw-request.ts";
import type { Received } from "../rejection.ts";
import { check, type Problem } from "../wire/check.ts";

export function parseLedgerRequest<E extends Endpoint>(
  endpoint: E,
  raw: RawRequest,
): Received<ServerRequest<E>, LedgerError> {
  const params = parseLedgerParams(endpoint, raw.params);
  if (!params.ok) return params;
  const query = parseLedgerQuery(endpoint, raw.search);
  if (!query.ok) return query;
  const body = parseLedgerBody(endpoint, raw.body);
  if (!body.ok) return body;
  return { ok: true, value: { params: params.value, query: query.value, body: body.value } };
}

export function parseLedgerParams<E extends Endpoint>(
  endpoint: E,
  encoded: Readonly<Record<string, string>>,
): Received<ServerRequest<E>["params"], LedgerError> {
  const decoded: Record<string, string> = {};
  for (const [name, text] of Object.entries(encoded)) {
    const value = percentDecode(text);
    if (value === undefined) return refuse(`path parameter ${name}`);
    decoded[name] = value;
  }
  const params = endpoint.params === undefined ? undefined : check(endpoint.params, decoded);
  if (params?.ok === false) return refuse(`path parameter ${params.problem.path}`);
  return { ok: true, value: (params?.value ?? {}) as ServerRequest<E>["params"] };
}

export function parseLedgerQuery<E extends Endpoint>(
  endpoint: E,
  search: string,
): Received<ServerRequest<E>["query"], LedgerError> {
  const values = parseQueryString(search);
  if (values === undefined) return refuse("query string");
  const query =
    endpoint.query === undefined
      ? undefined
      : check(endpoint.query, selectValues(endpoint.query, values, { emptyIsAbsent: false }));
  if (query?.ok === false) {
    const { path, kind } = query.problem;
    return refuse(`query parameter ${path}${kind === "missing" ? " (missing)" : ""}`);
  }
  return { ok: true, value: (query?.value ?? {}) as ServerRequest<E>["query"] };
}

export function parseLedgerBody<E extends Endpoint>(
  endpoint: E,
  text: string,
): Received<ServerRequest<E>["body"], LedgerError> {
  const accept = (value: unknown) => ({ ok: true, value: value as ServerRequest<E>["body"] }) as const;
  if (endpoint.body === undefined) return accept(undefined);
  let given: unknown;
  try {
    given = JSON.parse(text === "" && endpoint.bodyMayBeAbsent === true ? "{}" : text);
  } catch (error) {
    return refuse(`body (${error instanceof Error ? error.message : "not JSON"})`);
  }
  const body = check(endpoint.body, given);
  return body.ok ? accept(body.value) : refuse(`body (${formatProblem(body.problem)})`);
}

function formatProblem({ path, reason }: Problem): string {
  return path === "" ? reason : `${reason} at '${path}'`;
}

function refuse(what: string): { readonly ok: false; readonly refusal: LedgerError } {
  return { ok: false, refusal: ledgerError("INVALID_ARGUMENT", `Invalid value for: ${what}`) };
}
