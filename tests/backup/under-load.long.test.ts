// Back-ups of a network that works: names are bought and coin is tapped while they are taken, and restored nodes go on from
// the offset of their back-up without a gap or a repeat.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Update } from "@callsign/api";
import { beforeAll, expect, test, vi } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { totalCoin } from "../support/total-coin.ts";
import { persistenceOf, type RoleName, SmallNetwork } from "./small-network.ts";

const MINUTE = 60_000;
const atEnd = atEndOfFile();
let network: SmallNetwork;
let backups = 0;

beforeAll(async () => {
  network = await SmallNetwork.make(atEnd);
  for (const role of ["sv", "participant", "validator"] as const) network.start(role);
  for (const role of ["sv", "participant", "validator"] as const) await network.ready(role);
}, 3 * MINUTE);

/** Names whose purchase was acknowledged. */
const bought: string[] = [];

async function buy(name: string): Promise<void> {
  const wallet = network.wallet("alice");
  await wallet.tap({ body: { amount: "10.0" } });
  const entry = await wallet.createAnsEntry({ body: { name, url: "", description: "" } });
  await wallet.acceptSubscriptionRequest({ params: { contract_id: entry.subscriptionRequestCid } });
  bought.push(entry.name);
}

/** Keeps the network busy until it is stopped. */
function work(): { readonly stop: () => Promise<number> } {
  let isStopped = false;
  let done = 0;
  const working = (async () => {
    for (let i = 0; !isStopped; i++) {
      await buy(`load-${bought.length}-${i}`);
      done++;
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await working;
      return done;
    },
  };
}

async function backUp(role: RoleName): Promise<string> {
  backups++;
  const folder = join(network.folder, `backup-${backups}`);
  const taken = await network.run("backup", role, ...network.options(role), "--to", folder);
  expect([taken.exitCode, taken.complained]).toEqual([0, ""]);
  expect(taken.said).toMatch(/ (offset|sequence): [1-9]\d*\n/);
  return folder;
}

async function restore(role: RoleName, from: string): Promise<string> {
  const options = ["--from", from, "--verify", "--replace"];
  const restored = await network.run("restore", role, ...network.options(role), ...options);
  expect([restored.exitCode, restored.complained]).toEqual([0, ""]);
  expect(restored.said).toMatch(/every row was read back and is the same/);
  return restored.said;
}

const coin = () => totalCoin(network.wallet("alice"));

/** Behind the back-up's offset, without the traces of submissions: they are the participant's own, and not in its stream. */
function withoutTraces(updates: readonly Update[], kept: number) {
  return updates.map(({ update }) => {
    if (!("Transaction" in update)) return update;
    const { value } = update.Transaction;
    return value.offset > kept ? { ...value, traceContext: null } : value;
  });
}

function allNamesAreLive(): Promise<void> {
  return allAreLive(bought);
}

async function allAreLive(names: readonly string[]): Promise<void> {
  for (const name of names)
    await vi.waitUntil(() => network.scan.lookupAnsEntryByName({ params: { name } }).catch(() => undefined), {
      timeout: MINUTE,
      interval: 100,
    });
}

test(
  "a restored participant has the same updates as before, and a validator that is ahead waits for it",
  async () => {
    await buy("before-the-back-up");
    const load = work();
    await until(() => bought.length >= 2, "the network works");
    const folder = await backUp("participant");
    const already = bought.length;
    await until(() => bought.length >= already + 2, "it works on");
    await load.stop();
    const { offset } = await network.ledger.getLedgerEnd();
    const updates = await network.updatesUpTo(offset);
    const before = await coin();
    await network.kill("participant");
    const said = await restore("participant", folder);
    const kept = Number(/ offset: (\d+)/.exec(said)?.[1]);
    expect(kept).toBeLessThan(offset);
    network.start("participant");
    await network.ready("participant");
    await until(async () => (await network.ledger.getLedgerEnd()).offset >= offset, "it has caught up");
    const again = await network.updatesUpTo(offset);
    expect(withoutTraces(again, kept)).toEqual(withoutTraces(updates, kept));
    await network.ready("validator");
    expect(await coin()).toBe(before);
    await buy("after-the-participant-came-back");
    await allNamesAreLive();
  },
  5 * MINUTE,
);

test(
  "a validator restored from an older back-up catches up with its participant",
  async () => {
    const load = work();
    const start = bought.length;
    await until(() => bought.length > start, "the network works");
    const folder = await backUp("validator");
    await load.stop();
    const before = await coin();
    await network.stop("validator");
    await restore("validator", folder);
    network.start("validator");
    await network.ready("validator");
    expect(await coin()).toBe(before);
    await buy("after-the-validator-came-back");
    await allNamesAreLive();
  },
  5 * MINUTE,
);

test(
  "SVs restored from the last entry of the log rebuild their replicas and go on",
  async () => {
    await buy("before-the-svs-stop");
    await allNamesAreLive();
    await network.stop("sv");
    const folder = await backUp("sv");
    // The machine's disk is lost.
    rmSync(network.dataFolder("sv"), { recursive: true });
    const said = await restore("sv", folder);
    expect(said).toMatch(/sequence: \d+/);
    network.start("sv");
    for (const role of ["sv", "participant", "validator"] as const) await network.ready(role);
    await buy("after-the-svs-came-back");
    await allNamesAreLive();
  },
  5 * MINUTE,
);

test(
  "SVs restored from a back-up of their work have its log, and a participant that has seen more refuses them",
  async () => {
    const load = work();
    const start = bought.length;
    await until(() => bought.length > start, "the network works");
    const folder = await backUp("sv");
    const kept = bought.slice(0, start);
    const already = bought.length;
    await until(() => bought.length > already + 1, "it works on");
    await load.stop();
    await network.stop("sv");
    const whole = await backUp("sv");
    await restore("sv", folder);
    network.start("sv");
    await network.ready("sv");
    await allAreLive(kept);
    const isRefused = async () =>
      /the sequencers' stream ends at offset \d+\..* another history/.test(
        (await network.missing("participant")) ?? "",
      );
    await until(isRefused, "the participant refuses them");
    await network.stop("sv");
    await restore("sv", whole);
    network.start("sv");
    for (const role of ["sv", "participant", "validator"] as const) await network.ready(role);
    await buy("after-the-svs-have-the-whole-log");
    await allNamesAreLive();
  },
  5 * MINUTE,
);

test(
  "a node moves to PostgreSQL and back with all it has, and the old place takes no start",
  async (context) => {
    for (const role of ["participant", "validator"] as const) {
      const { offset } = await network.ledger.getLedgerEnd();
      const updates = await network.updatesUpTo(offset);
      const database = persistenceOf({ ...(await sharedDatabase(undefined, context)), schema: role });
      const there = network.writeValues(role, `${role}-postgres`, database);
      await network.stop(role);
      const moved = await network.run("store", "move", role, ...network.options(role), "--to", there);
      expect([moved.exitCode, moved.complained]).toEqual([0, ""]);
      const refused = await network.start(role).ended;
      expect([refused.code, refused.errors]).toEqual([
        1,
        expect.stringMatching(/was moved to schema .* of the PostgreSQL/),
      ]);
      const here = network.writeValues(role, `${role}-sqlite`);
      network.options(role, database);
      network.start(role);
      await network.ready(role);
      await network.ready("validator");
      await buy(`after-${role}-moved`);
      expect(await network.updatesUpTo(offset)).toEqual(updates);
      const folder = await backUp(role);
      await network.stop(role);
      const back = await network.run(
        "store",
        "move",
        role,
        ...network.options(role),
        "--to",
        here,
        "--replace",
      );
      expect([back.exitCode, back.complained]).toEqual([0, ""]);
      const gone = await network.start(role).ended;
      expect([gone.code, gone.errors]).toEqual([
        1,
        expect.stringMatching(/schema ".*" was moved to .*\.sqlite/),
      ]);
      network.options(role, { persistence: undefined });
      network.start(role);
      await network.ready(role);
      await network.ready("validator");
      await buy(`after-${role}-came-back`);
      expect((await network.run("restore", "--from", folder, "--verify")).exitCode).toBe(0);
    }
    await allNamesAreLive();
  },
  8 * MINUTE,
);
