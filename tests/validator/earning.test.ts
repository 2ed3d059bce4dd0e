// A validator on a quiet network earns: it records that it is up, its round issues, and it has the coin by itself.

import {
  Amulet,
  decimalFromUnits,
  formatDecimal,
  type PartyId,
  parseDecimal,
  ValidatorLicense,
  ValidatorLivenessActivityRecord,
} from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LocalNetwork, TICK } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";

const UNIT = 10_000_000_000n;

let network: LocalNetwork;
let operator: PartyId;

beforeAll(async () => {
  network = await LocalNetwork.start({ pausedAutomations: [] });
  await network.net.settle();
  operator = network.net.nodes["app-user"].validator.operatorParty() as PartyId;
});
afterAll(() => network?.close());

/** Rounds half to even in the tenth place, as the ledger does. Amounts are in units of that place. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const [quotient, rest] = [dividend / divisor, (dividend % divisor) * 2n];
  const isUp = rest > divisor || (rest === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
const times = (a: bigint, b: bigint) => rounded(a * b, UNIT);
const per = (a: bigint, b: bigint) => rounded(a * UNIT, b);
const units = (text: string): bigint => {
  const parsed = parseDecimal(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};

/** The value of one of so many liveness records in the first half year, without validator coupons. */
function recordIsWorth(records: bigint): bigint {
  const inRound = per(units("40000000000"), units("52560"));
  const forRewards = inRound - times(inRound, units("0.05"));
  const pool = times(forRewards, units("0.05"));
  const cap = per(units("2.85"), units("0.005"));
  const wanted = times(cap, records * UNIT);
  const issued = pool < wanted ? pool : wanted;
  return per(times(issued, cap), wanted);
}

async function balance(): Promise<string> {
  return (await network.validator().getBalance()).effective_unlocked_qty;
}

async function recordedRounds(): Promise<readonly number[]> {
  const records = await network.listActive(ValidatorLivenessActivityRecord, operator);
  return records.map(({ payload }) => Number(payload.round.number)).sort((a, b) => a - b);
}

function expectedAfter(rounds: number): string {
  // Three validators: of app-user, app-provider and sv.
  return formatDecimal(decimalFromUnits(BigInt(rounds) * recordIsWorth(3n)));
}

test("a validator records its liveness once in every open round, and no more", async () => {
  expect(await recordedRounds()).toEqual([0, 1]);
  const [license] = await network.listActive(ValidatorLicense, operator);
  expect(license?.payload.faucetState).toMatchObject({
    lastReceivedFor: { number: 1n },
    numCouponsMissed: 0n,
  });
});

test("when the round issues, the coin is there: to the last digit, and minted once", async () => {
  expect(await balance()).toBe("0.0000000000");
  await network.net.moveClock(TICK);
  expect(await recordedRounds()).toEqual([0, 1, 2]);
  expect(await balance()).toBe("0.0000000000");
  await network.net.moveClock(TICK);
  expect(await balance()).toBe(expectedAfter(1));
  expect(expectedAfter(1)).toBe("570.0000000000");
  expect(await recordedRounds()).toEqual([1, 2, 3]);
  await network.net.moveClock(TICK);
  expect(await balance()).toBe(expectedAfter(2));
  expect(await network.listActive(Amulet, operator)).toHaveLength(1);
});

test("the earned coin pays for a name", async () => {
  const wallet = network.validator();
  await network.buy(wallet, "earned");
  expect(units(await balance())).toBe(units(expectedAfter(2)) - units("200"));
});

test("starting again does nothing twice, and neither do two at once", async () => {
  const { token } = network.net.nodes["app-user"];
  const end = await network.ledger().getLedgerEnd();
  const twin = await network.startValidator(["app-user"], "twin", { pausedAutomations: [] });
  await twin.close();
  const again = await network.startValidator(["app-user"], "twin", { pausedAutomations: [] });
  expect(await network.ledger().getLedgerEnd()).toEqual(end);
  const before = await balance();
  await network.net.moveClock(TICK);
  await again.idle();
  await network.net.settle();
  expect(units(await balance()) - units(before)).toBe(recordIsWorth(3n));
  expect((await validatorClient(again.url, token).getBalance()).effective_unlocked_qty).toBe(await balance());
  const rounds = await recordedRounds();
  expect(new Set(rounds).size).toBe(rounds.length);
  await again.close();
});

test("its operator sees what it did; others do not", async () => {
  const { serviceToken, nodes } = network.net;
  const { automations } = await network.validator("app-user", serviceToken).listAutomations();
  const byName = Object.fromEntries(automations.map((each) => [each.automation, each]));
  expect(byName["record-liveness"]).toMatchObject({ paused: false, waiting: 0, stuck: [] });
  expect(byName["record-liveness"]?.done).toBeGreaterThanOrEqual(5);
  expect(byName["record-liveness"]?.last_done_at).toMatch(/Z$/);
  expect(byName["record-liveness"]?.next_due_at).toMatch(/Z$/);
  expect(byName["collect-rewards"]?.done).toBeGreaterThanOrEqual(2);
  // Nothing is bought unless asked for.
  expect(byName["top-up-traffic"]).toMatchObject({ paused: true, done: 0 });
  const asUser = validatorClient(nodes["app-user"].validatorUrl, nodes["app-user"].token);
  await expect(asUser.listAutomations()).rejects.toThrow(/status 403/);
});

test("its operator pauses an automation and resumes it; others do not", async () => {
  const { serviceToken, nodes } = network.net;
  const operator = network.validator("app-user", serviceToken);
  const pause = (automation: string, paused: boolean, client = operator) =>
    client.pauseAutomation({ params: { automation }, body: { paused } });
  const done = async () => (await pause("record-liveness", true)).done;
  const before = await done();
  await network.net.moveClock(TICK);
  await network.net.settle();
  expect(await done()).toBe(before);
  expect(await pause("record-liveness", false)).toMatchObject({ paused: false });
  await network.net.moveClock(TICK);
  await network.net.settle();
  expect(await done()).toBeGreaterThan(before);
  await pause("record-liveness", false);
  await expect(pause("record-livenes", true)).rejects.toThrow(/status 404/);
  // Nothing is set up that could be resumed.
  await expect(pause("top-up-traffic", false)).rejects.toThrow(/status 409/);
  const asUser = validatorClient(nodes["app-user"].validatorUrl, nodes["app-user"].token);
  await expect(pause("record-liveness", true, asUser)).rejects.toThrow(/status 403/);
});

test("a name that pauses nothing is refused at the start", async () => {
  const misspelt = { pausedAutomations: ["record-livenes" as "record-liveness"] };
  await expect(network.startValidator(["app-user"], "misspelt", misspelt)).rejects.toThrow(
    /"record-livenes" is no automation of a validator; there are renew-subscriptions, record-liveness/,
  );
});
