import type { StreamItem } from "@callsign/api";
import { compressText, openDatabase, type SqlRow } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { openParticipantStore } from "./open-participant-store.ts";
import { packBody, unpackBody } from "./packed-body.ts";
import { RowMemory } from "./row-memory.ts";

async function loadBodies() {
  const store = await openParticipantStore(openDatabase(":memory:"));
  onTestFinished(() => store.close());
  return new RowMemory().bodies.load(store);
}

function makeItem(number: number) {
  const event = {
    contractId: `00${"ab".repeat(68)}`,
    witnesses: ["alice::1220", "bob::1220", `zoë ${number}`],
  };
  const events = Array.from({ length: 20 }, () => event);
  const item = {
    recordTime: `${number}`,
    update: { updateId: `${number}`, events },
  } as unknown as StreamItem;
  return { item, body: JSON.stringify(item) };
}

const withoutUpdate = { recordTime: "1", update: null } as unknown as StreamItem;

test("a body is read as it was written", async () => {
  const bodies = await loadBodies();
  for (const given of [makeItem(1), { item: withoutUpdate, body: JSON.stringify(withoutUpdate) }])
    expect(unpackBody({ body: "", packed: packBody(given, bodies) }, bodies)).toBe(given.body);
});

test("a body like those before it takes less than a thirtieth of its length", async () => {
  const bodies = await loadBodies();
  const given = Array.from({ length: 70 }, (_, number) => makeItem(number));
  const packed = given.map((each) => packBody(each, bodies));
  expect(packed.at(-1)?.length).toBeLessThan((given.at(-1)?.body.length ?? 0) / 30);
});

test("a body of an earlier release is read, whether it was compressed or not", async () => {
  const bodies = await loadBodies();
  const { body } = makeItem(1);
  expect(unpackBody({ packed: null, body }, bodies)).toBe(body);
  const compressed = compressText(body).toString("base64");
  expect(unpackBody({ packed: null, body: compressed }, bodies)).toBe(body);
});

test("a body that has changed on disk is never read as another", async () => {
  const bodies = await loadBodies();
  const given = makeItem(1);
  const packed = packBody(given, bodies);
  const read = (row: SqlRow) => {
    try {
      return unpackBody(row, bodies);
    } catch {
      return null;
    }
  };
  const changed = Array.from(packed, (_, at) =>
    read({ body: "", packed: packed.map((byte, i) => (i === at ? byte ^ 0x20 : byte)) }),
  );
  expect(changed).toContain(null);
  // Some bits of a compressed text mean nothing.
  expect(new Set(changed).difference(new Set([null, given.body]))).toEqual(new Set());
  const compressed = compressText(given.body).toString("base64");
  expect(read({ packed: null, body: compressed.slice(0, -8) })).toBeNull();
});
