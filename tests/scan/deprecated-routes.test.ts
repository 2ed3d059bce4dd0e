import { describe, expect, test } from "vitest";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();
const ZERO = "0.0000000000";
const CONFIG = "/v0/amulet-config-for-round";
const REWARDS = "/v0/rewards-collected";

/** The default fees: holding costs 0.0000190259 USD a round, everything else nothing. */
const configAt = (holding_fee: string) => ({
  amulet_create_fee: ZERO,
  holding_fee,
  lock_holder_fee: ZERO,
  transfer_fee: { initial: ZERO, steps: [] },
});

describe("the fees of a round", () => {
  test("are in coin at the round's price, with ten digits", async () => {
    const world = shared();
    for (const prefix of ["", "/api/scan"]) {
      // 0.0000190259 ÷ 0.005
      expect(await world.getJson(`${prefix}${CONFIG}?round=2`)).toEqual({
        status: 200,
        body: configAt("0.0038051800"),
      });
    }
  });

  test("without a number are those of the highest round that has opened, to the microsecond", async () => {
    const world = await ServedWorld.start();
    for (const sv of world.dso.svs) sv.vote(decimal("0.01"));
    world.network.advance(20n * MINUTE);
    world.dso.advanceRounds();
    const newest = world.network.active(OpenMiningRound).at(-1)?.payload;
    if (newest === undefined) throw new Error("there is no round");
    expect(newest.round.number).toBe(3n);
    for (const [moment, holding] of [
      [addDuration(newest.opensAt, -1n), "0.0038051800"],
      [newest.opensAt, "0.0019025900"],
    ] as const) {
      world.network.advanceTo(moment);
      await world.scan();
      for (const path of [CONFIG, `${CONFIG}?round=`]) {
        expect(await world.getJson(path)).toEqual({ status: 200, body: configAt(holding) });
      }
    }
  });

  test("without a number are not found before a round has opened", async () => {
    const world = await ServedWorld.start({ behindAll: true });
    const body = { error: "No round has opened yet" };
    expect(await world.getJson(CONFIG)).toEqual({ status: 404, body });
  });

  test.each(["3", "-1", "9223372036854775807", "-9223372036854775808"])(
    "of round %s, which never opened, are not found",
    async (round) => {
      const world = shared();
      const error = `Round ${round} not found`;
      expect(await world.getJson(`${CONFIG}?round=${round}`)).toEqual({ status: 404, body: { error } });
    },
  );
});

describe("the rewards collected", () => {
  test("are zero ever, and not known for a round that is not closed", async () => {
    const world = shared();
    for (const path of [REWARDS, `/api/scan${REWARDS}`, `${REWARDS}?round=`]) {
      expect(await world.getJson(path)).toEqual({ status: 200, body: { amount: ZERO } });
    }
    for (const round of [-1, 0, 99]) {
      const body = { error: "No data has been made available yet" };
      expect(await world.getJson(`${REWARDS}?round=${round}`)).toEqual({ status: 404, body });
    }
  });

  test("are zero before anything is known", async () => {
    const world = await ServedWorld.start({ behindAll: true });
    expect(await world.getJson(REWARDS)).toEqual({ status: 200, body: { amount: ZERO } });
  });
});

test.each([CONFIG, REWARDS])("%s refuses a round that is no number", async (path) => {
  const world = shared();
  for (const round of ["abc", "1.0", "9223372036854775808", "0x1"]) {
    const { status, headers, text } = await world.get(`${path}?round=${round}`);
    expect(status).toBe(400);
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    expect(text).toBe(
      `The query parameter 'round' was malformed:\n'${round}' is not a valid 64-bit signed integer value`,
    );
  }
});

test("the two deprecated operations carry the deprecation header, found or not, and no other does", async () => {
  const world = shared();
  const since = Date.parse("2026-05-04T09:35:49Z") / 1000;
  for (const path of [REWARDS, `${REWARDS}?round=7`, `${CONFIG}?round=0`, `${CONFIG}?round=7`]) {
    expect((await world.get(path)).headers.get("deprecation")).toBe(`@${since}`);
  }
  for (const path of ["/v0/ans-entries", "/v0/dso", "/version", "/v0/nothing"]) {
    expect((await world.get(path)).headers.get("deprecation")).toBeNull();
  }
});
