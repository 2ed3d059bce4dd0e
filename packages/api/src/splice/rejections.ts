/**
 * The refusals of Splice's applications, to the letter: a handler's or a rule's refusal is
 * `{"error": …}`, a request that never reached one gets a line of text. Clients show these texts to people.
 */
import { z } from "zod";
import { encodedRejection, jsonRejection, type Rejection, textRejection } from "../rejection.ts";

export const SpliceError = z.object({ error: z.string() }).meta({ id: "ErrorResponse" });
export type SpliceError = z.output<typeof SpliceError>;

export const SPLICE_MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Characters that JSON leaves as they are. A lookup that finds nothing spends a tenth of its own time on the encoder. */
const PLAIN = /^[\w .:-]*$/;

/** An operation's own error: 400 for a rule, 403, 404, 409 and so on. */
export function spliceError(status: number, error: string): Rejection {
  if (PLAIN.test(error)) return encodedRejection(status, `{"error":"${error}"}`);
  return jsonRejection(status, { error } satisfies SpliceError);
}

export function unknownPath(uri: string): Rejection {
  return spliceError(404, `The requested resource could not be found: ${uri}`);
}

export function wrongMethod(allowed: readonly string[]): Rejection {
  const methods = allowed.join(", ");
  return textRejection(405, `HTTP method not allowed, supported methods: ${methods}`, { allow: methods });
}

export function malformedTarget(): Rejection {
  return textRejection(400, "Illegal request-target: it is not valid percent-encoded UTF-8");
}

/** Not 400: a route whose parameter is missing is, to Splice, another route. */
export function missingQueryParameter(name: string): Rejection {
  return textRejection(404, `Request is missing required query parameter '${name}'`);
}

export function malformedQueryParameter(name: string, reason: string): Rejection {
  return textRejection(400, `The query parameter '${name}' was malformed:\n${reason}`);
}

export function missingBody(): Rejection {
  return textRejection(400, "Request entity expected but not supplied");
}

export function malformedBody(reason: string): Rejection {
  return textRejection(400, `The request content was malformed:\n${reason}`);
}

export function bodyTooLarge(): Rejection {
  const reason = `EntityStreamSizeException: the entity exceeded size limit (${SPLICE_MAX_BODY_BYTES} bytes)`;
  return textRejection(413, `The request content was malformed:\n${reason}`);
}

export function unsupportedContentType(contentType: string): Rejection {
  return textRejection(
    415,
    `The request's Content-Type [${contentType}] is not supported. Expected:\napplication/json`,
  );
}

/** The parts of the applications that announce themselves to callers without a valid token. */
export type Realm = "validator" | "validator operator" | "scan proxy" | "wallet" | "ans" | "sv";

export function unauthenticated(realm: Realm, token: "missing" | "invalid"): Rejection {
  const body =
    token === "missing"
      ? "The resource requires authentication, which was not supplied with the request"
      : "The supplied authentication is invalid";
  return textRejection(401, body, { "www-authenticate": `Bearer realm="splice ${realm} realm"` });
}

export function unauthorized(user: string): Rejection {
  return spliceError(403, `Authorization Failed for ${user}`);
}

/** Splice's words, and the way to a wallet. */
export function noWallet(user: string, operation: string): Rejection {
  const remedy = "Get one with POST /v0/register, or ask the operator for POST /v0/admin/users.";
  return spliceError(404, `No wallet found for user '${user}' for operation '${operation}'. ${remedy}`);
}

export function tooManyRequests(): Rejection {
  return textRejection(429, "Too Many Requests: Server is busy, please try again later.");
}

export function tooSlow(method: string, uri: string): Rejection {
  return spliceError(503, `The server is taking too long to respond to the (${method}) request at ${uri}`);
}

export function unexpectedError(): Rejection {
  return spliceError(500, "An unexpected error occurred.");
}
