import { addDuration, type Network, time } from "@callsign/ledger";
import { expect, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { foundName } from "../names/name-entry.ts";
import { keptFrom, showList, showName } from "./show-names.ts";

const ID = `00${"ab".repeat(28)}00000001ca101220${"cd".repeat(32)}`;
const JSON_TEXT = `{"contract_id":"${ID}","name":"alice"}`;
const EXPIRY = time("2026-04-01T00:00:00.5Z");
const asked = { by: "name", given: "alice" } as const;
const headersAt = (microsecondsBefore: bigint) =>
  showName(foundName(JSON_TEXT, EXPIRY), asked, addDuration(EXPIRY, -microsecondsBefore)).headers;

test.each([
  [-90n * 86_400_000_000n, 0],
  [0n, 0],
  [999_999n, 0],
  [1_000_000n, 1],
  [59_999_999n, 59],
  [60_000_000n, 60],
  [90n * 86_400_000_000n, 60],
])("an entry with %d µs left may be kept for %d s", (left, seconds) => {
  expect(headersAt(left)).toMatchObject({
    "cache-control": `public, max-age=${seconds}`,
    vary: "origin, x-callsign-wait-for",
  });
});

test("where the clock can be moved an entry has a tag alone", () => {
  expect(showName(foundName(JSON_TEXT, EXPIRY), asked, null).headers).toEqual({
    "content-type": "application/json",
    etag: `"${"ab".repeat(28)}00000001"`,
  });
});

test("the time goes on while the log is quiet, and is never before the record time", () => {
  const { clock } = new VirtualHost();
  const wall = time(new Date(clock.wallMilliseconds()).toISOString());
  const network = { movableClock: false } as Network;
  const hour = 3_600_000_000n;
  const [before, behind] = [addDuration(wall, -hour), addDuration(wall, hour)];
  expect(keptFrom({ now: before, network }, clock)).toBe(wall);
  expect(keptFrom({ now: behind, network }, clock)).toBe(behind);
});

test.each([
  ["the clock can be moved", { movableClock: true } as Network],
  ["the network is not founded", null],
])("no time is promised where %s", (_, network) => {
  expect(keptFrom({ now: EXPIRY, network }, new VirtualHost().clock)).toBe(null);
});

test("entries and lists have different tags exactly if they differ", () => {
  const tagOf = (json: string, expiresAt: typeof EXPIRY | null) =>
    showName(foundName(json, expiresAt), asked, null).headers["etag"];
  expect(tagOf(JSON_TEXT, EXPIRY)).not.toBe(tagOf(JSON_TEXT.replace("0001ca", "0002ca"), EXPIRY));
  expect(tagOf('{"contract_id":null,"name":"a"}', null)).not.toBe(
    tagOf('{"contract_id":null,"name":"b"}', null),
  );
  expect(showList(["1", "2"]).headers["etag"]).toBe(showList(["1", "2"]).headers["etag"]);
  expect(showList(["1", "2"]).headers["etag"]).not.toBe(showList(["12"]).headers["etag"]);
  const another = JSON_TEXT.replace("0001ca", "0002ca");
  const lists = [[JSON_TEXT], [another], [JSON_TEXT, another], [another, JSON_TEXT], [JSON_TEXT, "1"], []];
  expect(new Set(lists.map((list) => showList(list).headers["etag"])).size).toBe(lists.length);
});

test("a name that is not found has no tag, and may not be kept", () => {
  const { status, headers } = showName({ kind: "not-found" }, asked, EXPIRY);
  expect({ status, headers }).toEqual({ status: 404, headers: { "content-type": "application/json" } });
});
