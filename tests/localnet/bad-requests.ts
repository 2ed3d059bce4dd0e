/** Requests that are wrong in every way that comes to mind, made from an operation's table row and an example. */
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { formatPath, listPathParameters } from "../../packages/api/src/path-template.ts";
import { type PlainAnswer, plainRequest } from "../../packages/node/testing/plain-request.ts";
import type { Random } from "../support/random.ts";

export interface BadRequest {
  readonly what: string;
  readonly method: string;
  /** With the query, as it stands on the wire. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string | Buffer;
}

export interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const TEXTS = ["", "{", "null", "[]", "1", '"x"', "\u0000", "\ufeff{}", "undefined", "{'a':1}", "{} {}"];
const CODES = [
  "%",
  "%f",
  "%ff",
  "%00",
  "%2F",
  "%ED%A0%80",
  "%F0%9F%98%80",
  "x".repeat(6000),
  "'\"<>",
  "::",
  "-1",
];
const NUMBERS = [
  "-1",
  "0",
  "1.5",
  "1e3",
  "9007199254740993",
  "9".repeat(40),
  "NaN",
  "０",
  " 1",
  "true",
  "%00",
];
const ODD: readonly unknown[] = [
  ...[null, true, -1, 0.5, 1e300, 2 ** 53, "", "\u0000", "\ud800", "NaN", "1e5", "-0", "9".repeat(60)],
  ...["x".repeat(20_000), "😀", [], {}, [[]], [null], { a: { b: [] } }, { __proto__: 1, constructor: "x" }],
];
const DEEP = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;
const DRAWN = 12;

/** All of one operation. */
export function listBadRequests(endpoint: Endpoint, example: Example, random: Random): BadRequest[] {
  return [
    ...badPaths(endpoint, example),
    ...badQueries(endpoint, example),
    ...badMethods(endpoint, example),
    ...(endpoint.body === undefined ? [] : badBodies(endpoint, example, random)),
  ];
}

function badPaths({ method, path }: Endpoint, { params = {} }: Example): BadRequest[] {
  const found = listPathParameters(path).flatMap((name) =>
    CODES.map((code) => {
      const filled = Object.fromEntries(listPathParameters(path).map((each) => [each, "x"]));
      const raw = formatPath(path, { ...filled, ...params, [name]: "MARK" }).replace("MARK", code);
      return { what: `${name} is ${code.slice(0, 20)}`, method, path: raw };
    }),
  );
  const own = formatPath(path, params);
  return [
    ...found,
    { what: "a very long path", method, path: `${own}/${"x".repeat(12_000)}` },
    { what: "a path beyond what is read", method, path: `${own}/${"x".repeat(40_000)}` },
    { what: "a path that ends early", method, path: own.slice(0, -1) },
    { what: "a path with two slashes", method, path: `/${own}` },
  ];
}

function badQueries(endpoint: Endpoint, { params = {} }: Example): BadRequest[] {
  const { method, path } = endpoint;
  const names = Object.keys(endpoint.query?.shape ?? {});
  const make = (what: string, search: string) => ({
    what,
    method,
    path: `${formatPath(path, params)}?${search}`,
  });
  return [
    make("half a percent sign in the query", "a=%"),
    make("half a character in the query", "a=%ED%A0%80"),
    make("a thousand parameters", Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join("&")),
    make("an access token that is none", "access_token=x&access_token=y"),
    ...names.flatMap((name) => [
      ...NUMBERS.map((value) =>
        make(`${name} is ${value.slice(0, 20)}`, `${name}=${encodeURIComponent(value)}`),
      ),
      make(`${name} twice`, `${name}=1&${name}=2`),
      make(`${name} without a value`, name),
      make(`${name} is long`, `${name}=${"9".repeat(5000)}`),
    ]),
  ];
}

function badMethods({ path }: Endpoint, { params = {} }: Example): BadRequest[] {
  const target = formatPath(path, params);
  return ["PUT", "OPTIONS", "TRACE"].map((method) => ({
    what: `the method ${method}`,
    method,
    path: target,
  }));
}

function badBodies({ method, path }: Endpoint, example: Example, random: Random): BadRequest[] {
  const target = { method, path: formatPath(path, example.params ?? {}) };
  const good = JSON.stringify(example.body ?? {});
  const make = (what: string, body: string | Buffer, contentType = "application/json") => ({
    ...target,
    what,
    body,
    contentType,
  });
  const drawn = Array.from({ length: DRAWN }, () => {
    const other = random.pick(ODD);
    const body = JSON.stringify(replaceAt(example.body ?? {}, random.below(1000), other)) ?? "";
    return make(`one thing is ${JSON.stringify(other)?.slice(0, 30)}`, body);
  });
  return [
    ...TEXTS.map((text) => make(`the body is ${JSON.stringify(text)}`, text)),
    make("JSON of forty thousand levels", DEEP),
    make("bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    make("half of the example", good.slice(0, Math.max(1, good.length / 2))),
    make("a number without end", `{"amount":${"9".repeat(100_000)}}`),
    make("plain text", good, "text/plain"),
    make("a form", "a=1&b=2", "application/x-www-form-urlencoded"),
    make("parts", "--x--", "multipart/form-data; boundary=x"),
    make("a type that is none", good, ";;;"),
    make("more than is read", Buffer.alloc(9 * 1024 * 1024, 0x20)),
    ...drawn,
  ];
}

/** The value with one of its parts replaced, whichever `place` falls on. */
function replaceAt(value: unknown, place: number, other: unknown): unknown {
  const paths = listPaths(value);
  return replace(value, paths[place % paths.length] ?? [], other);
}

function listPaths(value: unknown): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, each]) => listPaths(each).map((path) => [key, ...path]));
  return inner.length === 0 ? [[]] : inner;
}

function replace(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === key ? replace(each, rest, other) : each));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [key]: replace(record[key], rest, other) };
}

/** The path goes out as it is. */
export async function sendRaw(baseUrl: string, bad: BadRequest, token?: string): Promise<PlainAnswer> {
  const { pathname } = new URL(baseUrl);
  const prefix = pathname === "/" ? "" : pathname;
  try {
    return await plainRequest(baseUrl, {
      ...{ agent: false, method: bad.method, path: prefix + bad.path, timeout: 20_000, body: bad.body },
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(bad.contentType === undefined ? {} : { "content-type": bad.contentType }),
        ...(bad.body === undefined ? {} : { "content-length": Buffer.byteLength(bad.body) }),
      },
    });
  } catch (cause) {
    throw new Error(`${bad.what}: ${cause}`, { cause });
  }
}
