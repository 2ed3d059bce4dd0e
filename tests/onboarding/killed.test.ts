// A network that is killed while validators come in: what an SV has acknowledged holds, and nothing happens twice.

import { describe, expect, test } from "vitest";
import { TransportError } from "../../packages/api/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { statusOf } from "../support/call-outcome.ts";
import { LocalNetworkProcess } from "../support/local-network-process.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";

const KILLS = 3;
/** In each of the network's lives; an SV has no more than a thousand open ones. */
const MAX_MADE = 200;

interface Coming {
  readonly party: string;
  readonly secret: string;
  acknowledged: boolean;
}

/** Calls at the first SV that were answered. */
interface Deeds {
  readonly secrets: string[];
  readonly comings: Coming[];
}

/** Makes secrets and lets parties in by them until the network is gone. */
async function workUntilKilled(network: LocalNetworkProcess, deeds: Deeds, mark: string): Promise<void> {
  const sv = network.sv();
  const ledger = network.ledger();
  const clerk = async () => {
    for (let made = 0; made < MAX_MADE; made++) {
      const { secret } = await sv.prepareValidatorOnboarding({ body: { expires_in: 172_800 } });
      deeds.secrets.push(secret);
    }
  };
  const candidate = async (name: string) => {
    for (let i = 0; ; i++) {
      const partyIdHint = `${mark}-${name}-${i}`;
      const { partyDetails } = await ledger.allocateParty({ body: { partyIdHint } });
      const { secret } = await sv.prepareValidatorOnboarding({ body: { expires_in: 172_800 } });
      const coming = { party: partyDetails.party, secret, acknowledged: false };
      deeds.comings.push(coming);
      await sv.onboardValidator({ body: { party_id: coming.party, secret } });
      coming.acknowledged = true;
    }
  };
  const ends = await Promise.allSettled([clerk(), candidate("a"), candidate("b")]);
  for (const end of ends) {
    if (end.status === "rejected" && !(end.reason instanceof TransportError)) throw end.reason;
  }
}

/** Counts the licenses of each validator, as an SV lists them, page after page. */
async function countLicenses(network: LocalNetworkProcess, svNumber: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: number | null | undefined; after !== null; ) {
    const query = { limit: 50, ...(after === undefined ? {} : { after: BigInt(after) }) };
    const page: {
      validator_licenses: readonly { payload: Record<string, unknown> }[];
      next_page_token: number | null;
    } = await network.sv(svNumber).listValidatorLicenses({ query });
    for (const { payload } of page.validator_licenses) {
      const validator = String(payload["validator"]);
      counts.set(validator, (counts.get(validator) ?? 0) + 1);
    }
    after = page.next_page_token;
  }
  return counts;
}

describe("killed", () => {
  test("a network killed in its first start onboards its three validators once", {
    timeout: 120_000,
  }, async () => {
    const random = new Random(seed);
    const folder = temporaryFolder();
    // The log has 160 kB when the network is up.
    for (let kill = 0; kill < KILLS; kill++)
      await LocalNetworkProcess.killInStart(folder, kill * 50_000 + random.below(50_000));
    const network = await LocalNetworkProcess.start(folder);
    try {
      await network.settle();
      const { validator_onboardings } = await network.sv().listValidatorOnboardings();
      expect(validator_onboardings.map(({ state }) => state)).toEqual(["used", "used", "used"]);
      const validators = validator_onboardings.map(({ used_by }) => used_by).toSorted();
      for (const svNumber of [1, 4]) {
        const counts = await countLicenses(network, svNumber);
        expect([...counts].toSorted()).toEqual(validators.map((validator) => [validator, 1]));
      }
    } finally {
      await network.stop();
    }
  });

  test("acknowledged secrets and licenses survive kills, and unacknowledged requests can be sent again", {
    timeout: 180_000,
  }, async () => {
    const random = new Random(seed);
    const folder = temporaryFolder();
    const deeds: Deeds = { secrets: [], comings: [] };
    for (let kill = 0; kill < KILLS; kill++) {
      const network = await LocalNetworkProcess.start(folder);
      const working = workUntilKilled(network, deeds, `k${kill}`);
      await network.calls(1 + random.below(150));
      await network.kill();
      await working;
    }
    expect(deeds.comings.filter(({ acknowledged }) => acknowledged).length).toBeGreaterThan(0);
    const network = await LocalNetworkProcess.start(folder);
    try {
      await check(network, deeds);
    } finally {
      await network.stop();
    }
  });
});

async function check(network: LocalNetworkProcess, { secrets, comings }: Deeds): Promise<void> {
  const sv = network.sv();
  const before = await countLicenses(network, 1);
  for (const { party, acknowledged } of comings) if (acknowledged) expect(before.get(party)).toBe(1);
  const open = (await sv.listOngoingValidatorOnboardings()).ongoing_validator_onboardings;
  const known = new Set(open.map(({ encoded_secret }) => encoded_secret));
  expect(secrets.filter((secret) => !known.has(secret))).toEqual([]);
  // An uncertain party sends its secret again; nobody else comes in by it.
  const [{ party: other } = { party: "" }] = comings;
  for (const { party, secret } of comings) {
    expect(await statusOf(sv.onboardValidator({ body: { party_id: party, secret } }))).toBe(200);
    if (party === other) continue;
    expect(await statusOf(sv.onboardValidator({ body: { party_id: other, secret } }))).toBe(401);
  }
  await network.settle();
  for (const svNumber of [1, 2, 3, 4]) {
    const after = await countLicenses(network, svNumber);
    expect([...after.values()].every((count) => count === 1)).toBe(true);
    expect(comings.filter(({ party }) => !after.has(party))).toEqual([]);
    expect(after.size).toBe(comings.length + network.addresses.nodes.length);
  }
}
