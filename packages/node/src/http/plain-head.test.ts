import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { PlainHeadReader } from "./plain-head.ts";

const read = (text: string) => new PlainHeadReader().read(text, 0);
const HOST = "host: localhost\r\n";

test("reads target, headers and the end of a plain request, also behind others", () => {
  const first = `GET /a?b=%20c HTTP/1.1\r\n${HOST}Accept: \t*/* \r\nconnection: Keep-Alive\r\n\r\n`;
  const second = "GET /d HTTP/1.1\r\nhost: other\r\n\r\n";
  const reader = new PlainHeadReader();
  expect(reader.read(first + second, 0)).toEqual({
    target: "/a?b=%20c",
    headers: { host: "localhost", accept: "*/*", connection: "Keep-Alive" },
    end: first.length,
  });
  const behind = { target: "/d", headers: { host: "other" }, end: first.length + second.length };
  expect(reader.read(first + second, first.length)).toEqual(behind);
});

test.each([
  ["half a request", `GET /a HTTP/1.1\r\n${HOST}`],
  ["a request without a host", "GET /a HTTP/1.1\r\naccept: a\r\n\r\n"],
  ["a request without headers", "GET /a HTTP/1.1\r\n\r\n"],
  ["an empty host", "GET /a HTTP/1.1\r\nhost: \r\n\r\n"],
  ["another version", `GET /a HTTP/1.0\r\n${HOST}\r\n`],
  ["another method", `HEAD /a HTTP/1.1\r\n${HOST}\r\n`],
  ["a whole URL", `GET http://localhost/a HTTP/1.1\r\n${HOST}\r\n`],
  ["a target with a space", `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
  ["a target that is not ASCII", `GET /\u00e9 HTTP/1.1\r\n${HOST}\r\n`],
  ["lines that end with a line feed", "GET /a HTTP/1.1\nhost: localhost\n\n"],
  ["a line feed within a header", "GET /a HTTP/1.1\r\nhost: a\nupgrade: b\r\n\r\n"],
  ["a header on two lines", "GET /a HTTP/1.1\r\nhost: a\r\naccept: b\r\n c\r\n\r\n"],
  ["a header twice", `GET /a HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`],
  ["a space before the colon", "GET /a HTTP/1.1\r\nhost : a\r\n\r\n"],
  ["a header without a colon", `GET /a HTTP/1.1\r\n${HOST}accept\r\n\r\n`],
  ["a header that is not ASCII", `GET /a HTTP/1.1\r\n${HOST}accept: \u00e9\r\n\r\n`],
  ["a body", `GET /a HTTP/1.1\r\n${HOST}content-length: 1\r\n\r\nx`],
  ["a body in pieces", `GET /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["a connection to be closed", `GET /a HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`],
  ["another protocol", `GET /a HTTP/1.1\r\n${HOST}upgrade: h2c\r\n\r\n`],
  ["an expectation", `GET /a HTTP/1.1\r\n${HOST}expect: 100-continue\r\n\r\n`],
  ["a known tag", `GET /a HTTP/1.1\r\n${HOST}if-none-match: "t"\r\n\r\n`],
  ["a page's origin", `GET /a HTTP/1.1\r\n${HOST}origin: http://localhost\r\n\r\n`],
  ["a long head", `GET /${"a".repeat(5000)} HTTP/1.1\r\n${HOST}\r\n`],
])("does not read %s", (_what, text) => {
  expect(read(text)).toBeNull();
});

test("a request that is read alike after another, and one that is not, do not mix up", () => {
  const reader = new PlainHeadReader();
  expect(reader.read("GET /a HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 0)).toBeNull();
  expect(reader.read("GET /a HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", 0)).toBeNull();
  expect(reader.read(`GET /a HTTP/1.1\r\n${HOST}\r\n`, 0)?.headers).toEqual({ host: "localhost" });
});

test.each([
  ["more headers", `GET /a HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`],
  ["half of the same headers", `GET /a HTTP/1.1\r\n${HOST}\r`],
  ["a target that is malformed", `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
])("does not read %s behind a request with the same ones", (_what, text) => {
  const reader = new PlainHeadReader();
  const first = `GET /a HTTP/1.1\r\n${HOST}\r\n`;
  expect(reader.read(first + first, first.length)?.end).toBe(2 * first.length);
  expect(reader.read(first + text, first.length)).toBeNull();
});

interface Parsed {
  readonly target: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Has a server of `node:http` read each text. Null stands for one that it refuses. */
async function readByNode(texts: readonly string[]): Promise<readonly (Parsed | null)[]> {
  const server = createServer({ requireHostHeader: true });
  let seen: Parsed | null = null;
  server.on("request", ({ url, headers }, response) => {
    seen = { target: url, headers };
    response.end();
  });
  server.on("upgrade", (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const all: (Parsed | null)[] = [];
  for (const text of texts) {
    seen = null;
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1" }).once("error", reject);
      socket.once("close", () => resolve()).resume();
      socket.end(Buffer.from(text, "latin1"));
    });
    all.push(seen);
  }
  return all;
}

test("what is read is read the same by node:http, whatever the bytes", async () => {
  const starts = ["/a", "/b", "/a?b=c%20", "/\x7f", " /a", "*"].map((target) => `GET ${target} HTTP/1.1\r\n`);
  const lines = [
    ...[
      "accept: a, b\r\n",
      "x_y: \t z\t\r\n",
      "a: b: c\r\n",
      "cookie: a=b\r\n",
      "Te-St:x\r\n",
      "connection: keep-alive\r\n",
    ],
    ...[
      "Host: b\r\n",
      "__proto__: 1\r\n",
      "b:\r\n",
      "accept: \x01\r\n",
      "\u00e9: a\r\n",
      " folded\r\n",
      "\n",
      "c: b\rc\r\n",
    ],
  ];
  const requests = fc.tuple(
    fc.constantFrom(...starts, ...starts.slice(0, 3), ""),
    fc.constantFrom(HOST, HOST, ""),
    fc.array(fc.constantFrom(...lines), { maxLength: 3 }).map((each) => each.join("")),
  );
  const texts = fc.sample(
    requests.map((each) => `${each.join("")}\r\n`),
    { seed: 7, numRuns: 400 },
  );
  const byNode = await readByNode(texts);
  let plain = 0;
  for (const [i, text] of texts.entries()) {
    const head = read(text);
    if (head === null) continue;
    plain++;
    const { target, headers } = head;
    expect({ text, read: { target, headers: { ...headers } } }).toEqual({ text, read: byNode[i] });
  }
  expect(plain).toBeGreaterThan(20);
});
