import { openDatabase } from "@callsign/node";
import { beforeEach, expect, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { CALLER_CACHE_MILLISECONDS } from "../limits/limits.ts";
import { openParticipantStore } from "./open-participant-store.ts";
import { UserStore } from "./user-store.ts";

const alice = {
  ...{ id: "alice", primaryParty: "", isDeactivated: false, identityProviderId: "" },
  ...{ primaryPartyAuthentication: false, resourceVersion: 0n, annotations: {} },
};
const right = { kind: "CanActAs", party: "alice::1220" } as const;
const same = () => alice;

let host: VirtualHost;
let users: UserStore;
/** Reads of the callers. */
let reads: number;
/** The reads that begin meanwhile wait for it. */
let held: Promise<void> | null;

beforeEach(async () => {
  const store = await openParticipantStore(openDatabase(":memory:"));
  host = new VirtualHost();
  [reads, held] = [0, null];
  const all: typeof store.all = async (...given) => {
    reads++;
    const rows = await store.all(...given);
    await held;
    return rows;
  };
  users = new UserStore({ ...store, all }, host.clock);
  await users.create(alice, []);
});

const mayAct = async () => (await users.findCaller("alice"))?.rights.has("CanActAs");

test("a user that calls again is not read again for a moment", async () => {
  expect([await mayAct(), await mayAct(), reads]).toEqual([false, false, 1]);
  await host.advance(CALLER_CACHE_MILLISECONDS);
  expect([await mayAct(), reads]).toEqual([false, 2]);
});

test("what changes a user or its rights holds for the next call", async () => {
  expect(await mayAct()).toBe(false);
  await users.grant("alice", [right]);
  expect(await mayAct()).toBe(true);
  await users.revoke("alice", [right], same);
  expect(await mayAct()).toBe(false);
  await users.transaction((sql) => users.grantIn(sql, "alice", [right]));
  expect(await mayAct()).toBe(true);
  await users.update("alice", () => ({ ...alice, isDeactivated: true }));
  expect((await users.findCaller("alice"))?.isDeactivated).toBe(true);
  await users.delete("alice", same);
  expect(await users.findCaller("alice")).toBeUndefined();
  await users.create(alice, [right]);
  expect(await mayAct()).toBe(true);
});

test("a user that was read before a change is not remembered behind it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const before = mayAct();
  await users.grant("alice", [right]);
  resolve();
  expect([await before, await mayAct()]).toEqual([false, true]);
});

test("a user that is read while others change is not remembered", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const change = users.transaction(() => promise);
  const read = mayAct();
  resolve();
  await change;
  await read;
  expect([reads, await mayAct(), reads]).toEqual([1, false, 2]);
});
