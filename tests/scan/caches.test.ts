import { expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { ServedWorld } from "./served-world.ts";

const NAME = "alice.unverified.cns";
const PATH = `/v0/ans-entries/by-name/${NAME}`;

test("a reader that has an entry or a list is sent it again only after it changed", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  world.buy(alice, { name: NAME });
  await world.scan();
  const paths = [PATH, `/v0/ans-entries/by-party/${alice.party}`, "/v0/ans-entries?name_prefix=al"];
  const ask = (path: string, tag: string) => world.get(path, { headers: { "if-none-match": tag } });
  const first = await Promise.all(paths.map((path) => world.get(path)));
  const tags = first.map(({ headers }) => headers.get("etag") ?? "");
  expect(new Set(tags).size).toBe(2);
  world.network.advance(DAY);
  await world.scan();
  const same = await Promise.all(paths.map((path, i) => ask(path, tags[i] ?? "")));
  for (const [i, { status, text, headers }] of same.entries()) {
    expect({ status, text, tag: headers.get("etag") }).toEqual({ status: 304, text: "", tag: tags[i] });
    expect(headers.get("x-callsign-record-time")).not.toBe(first[i]?.headers.get("x-callsign-record-time"));
  }
  world.network.advance(70n * DAY);
  world.renew(alice);
  await world.scan();
  const renewed = await Promise.all(paths.map((path, i) => ask(path, tags[i] ?? "")));
  expect(renewed.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await world.get(PATH, { method: "HEAD" })).headers.get("etag")).toBe(
    renewed[0]?.headers.get("etag"),
  );
});

test("a long list is compressed for a reader that takes it, and stays the same list", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  for (let i = 0; i < 6; i++) world.buy(alice, { name: `name-${i}.unverified.cns` });
  await world.scan();
  const path = "/v0/ans-entries?name_prefix=name-";
  const plain = await world.get(path, { headers: { "accept-encoding": "identity" } });
  const packed = await world.get(path, { headers: { "accept-encoding": "gzip" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.text).toBe(plain.text);
  for (const { headers } of [plain, packed]) expect(headers.get("vary")).toContain("accept-encoding");
});
