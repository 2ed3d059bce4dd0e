/**
 * Reads a request as Splice's applications do. A server calls these in Splice's order: path, then (rate limit and
 * token, which are its own), then query, then body.
 */
import type { z } from "zod";
import type { Endpoint } from "../endpoint.ts";
import type { ServerRequest } from "../messages.ts";
import { percentDecode } from "../path-template.ts";
import { parseQueryString, selectValues } from "../query-string.ts";
import type { RawRequest } from "../raw-request.ts";
import type { Received, Rejection } from "../rejection.ts";
import { type Checked, check, formatProblem } from "../wire/check.ts";
import {
  malformedBody,
  malformedQueryParameter,
  malformedTarget,
  missingBody,
  missingQueryParameter,
  spliceError,
  unsupportedContentType,
} from "./rejections.ts";

export function parseSpliceRequest<E extends Endpoint>(
  endpoint: E,
  raw: RawRequest,
): Received<ServerRequest<E>, Rejection> {
  const params = parseSpliceParams(endpoint, raw.params);
  if (!params.ok) return params;
  const query = parseSpliceQuery(endpoint, raw.search);
  if (!query.ok) return query;
  const body = parseSpliceBody(endpoint, raw);
  if (!body.ok) return body;
  return { ok: true, value: { params: params.value, query: query.value, body: body.value } };
}

export function parseSpliceParams<E extends Endpoint>(
  endpoint: E,
  encoded: Readonly<Record<string, string>>,
): Received<ServerRequest<E>["params"], Rejection> {
  const decoded: Record<string, string> = {};
  for (const [name, text] of Object.entries(encoded)) {
    const value = percentDecode(text);
    if (value === undefined) return { ok: false, refusal: malformedTarget() };
    decoded[name] = value;
  }
  const params = checkOptional(endpoint.params, decoded);
  if (params.ok) return { ok: true, value: params.value as ServerRequest<E>["params"] };
  return { ok: false, refusal: spliceError(400, params.problem.reason) };
}

export function parseSpliceQuery<E extends Endpoint>(
  endpoint: E,
  search: string,
): Received<ServerRequest<E>["query"], Rejection> {
  const values = parseQueryString(search);
  if (values === undefined) return { ok: false, refusal: malformedTarget() };
  const selected =
    endpoint.query === undefined ? {} : selectValues(endpoint.query, values, { emptyIsAbsent: true });
  const query = checkOptional(endpoint.query, selected);
  if (query.ok) return { ok: true, value: query.value as ServerRequest<E>["query"] };
  const { kind, path, reason } = query.problem;
  if (kind === "missing") return { ok: false, refusal: missingQueryParameter(path) };
  if (kind === "malformed") return { ok: false, refusal: malformedQueryParameter(path, reason) };
  return { ok: false, refusal: spliceError(400, reason) };
}

export function parseSpliceBody<E extends Endpoint>(
  endpoint: E,
  raw: Pick<RawRequest, "contentType" | "body">,
): Received<ServerRequest<E>["body"], Rejection> {
  const refuse = (refusal: Rejection) => ({ ok: false, refusal }) as const;
  const accept = (value: unknown) => ({ ok: true, value: value as ServerRequest<E>["body"] }) as const;
  if (endpoint.body === undefined) return accept(undefined);
  if (raw.body === "" && endpoint.bodyMayBeAbsent !== true) return refuse(missingBody());
  if (raw.body !== "" && !isJson(raw.contentType)) {
    return refuse(unsupportedContentType(raw.contentType ?? ""));
  }
  let given: unknown;
  try {
    given = raw.body === "" ? {} : JSON.parse(raw.body);
  } catch (error) {
    return refuse(malformedBody(error instanceof Error ? error.message : "it is not JSON"));
  }
  const body = check(endpoint.body, given);
  if (body.ok) return accept(body.value);
  const text = formatProblem(body.problem);
  return refuse(body.problem.kind === "rule" ? spliceError(400, text) : malformedBody(text));
}

function checkOptional(schema: z.ZodType | undefined, value: unknown): Checked<unknown> {
  return schema === undefined ? { ok: true, value: {} } : check(schema, value);
}

/** A body without a content type is not JSON: a browser needs a preflight to send JSON for a page of another site. */
function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*application\/json\s*(;|$)/i.test(contentType);
}
