import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bodyTooLarge,
  noWallet,
  spliceError,
  tooManyRequests,
  tooSlow,
  unauthenticated,
  unauthorized,
  unexpectedError,
  unknownPath,
  wrongMethod,
} from "./rejections.ts";

const json = { "content-type": "application/json" };
const text = { "content-type": "text/plain; charset=UTF-8" };

test.each([
  [
    "an unknown path",
    unknownPath("http://localhost/api/scan/x"),
    404,
    json,
    '{"error":"The requested resource could not be found: http://localhost/api/scan/x"}',
  ],
  [
    "another method",
    wrongMethod(["GET", "POST"]),
    405,
    { ...text, allow: "GET, POST" },
    "HTTP method not allowed, supported methods: GET, POST",
  ],
  [
    "no token",
    unauthenticated("scan proxy", "missing"),
    401,
    { ...text, "www-authenticate": 'Bearer realm="splice scan proxy realm"' },
    "The resource requires authentication, which was not supplied with the request",
  ],
  [
    "a bad token",
    unauthenticated("ans", "invalid"),
    401,
    { ...text, "www-authenticate": 'Bearer realm="splice ans realm"' },
    "The supplied authentication is invalid",
  ],
  ["no right", unauthorized("bob"), 403, json, '{"error":"Authorization Failed for bob"}'],
  [
    "no wallet",
    noWallet("bob", "listAnsEntries"),
    404,
    json,
    `{"error":"No wallet found for user 'bob' for operation 'listAnsEntries'. Get one with POST /v0/register, or ask the operator for POST /v0/admin/users."}`,
  ],
  [
    "too many requests",
    tooManyRequests(),
    429,
    text,
    "Too Many Requests: Server is busy, please try again later.",
  ],
  [
    "a slow answer",
    tooSlow("GET", "http://localhost/x"),
    503,
    json,
    '{"error":"The server is taking too long to respond to the (GET) request at http://localhost/x"}',
  ],
  ["a fault of ours", unexpectedError(), 500, json, '{"error":"An unexpected error occurred."}'],
])("%s has Splice's status, headers and body", (_, rejection, status, headers, body) => {
  expect(rejection).toEqual({ status, headers, body });
});

test("a body over 8 MiB is refused with the limit", () => {
  const { status, headers, body } = bodyTooLarge();
  expect([status, headers]).toEqual([413, text]);
  expect(body).toMatch(/^The request content was malformed:\n.*exceeded size limit.*8388608/);
});

test("an error is encoded as JSON, whatever its characters", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."aZ09_ .:-", '"', "\\", "\n", "\u2028", "\ud800", "\u007f") }),
  );
  fc.assert(
    fc.property(texts, (error) => {
      expect(spliceError(404, error)).toEqual({
        status: 404,
        headers: json,
        body: JSON.stringify({ error }),
      });
    }),
  );
});
