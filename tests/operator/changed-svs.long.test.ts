// SVs of three organisations, a process each, on one log: a lost machine is replaced, another SV joins, one rotates its key,
// one leaves. Names are bought all the while, and the participant follows the SVs.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PartyId } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { newCandidateKeys } from "../support/candidate-keys.ts";
import { voteOutSv } from "../support/vote-out-sv.ts";
import type { RoleProcess } from "./role-process.ts";
import { SharedLogNetwork } from "./shared-log-network.ts";

const MINUTE = 60_000;
/** The number of the SV that joins. */
const JOINING = 7;
const keys = newCandidateKeys();
const atEnd = atEndOfFile();
let network: SharedLogNetwork;
let joined: RoleProcess;
const bought: string[] = [];

const svs = () => network.svs as [RoleProcess, RoleProcess, RoleProcess];
const buy = async (name: string) => {
  await network.buy(name);
  bought.push(`${name}.unverified.cns`);
};
/** The SVs that must deliver the same item to the participant. */
const needed = async () => (await network.participantAdmin().getSequencerConnections({})).needed;

beforeAllOrSkip(async (context) => {
  const approved = { name: `sv-${JOINING}`, publicKey: keys.publicKey, rewardWeightBps: 10_000 };
  network = await SharedLogNetwork.prepare(atEnd, context, { approvedSvIdentities: [approved] });
  const [first] = svs();
  await network.succeed(first, ...(await network.sign()));
  for (const sv of svs()) sv.start();
  for (const sv of svs()) await sv.ready(fetch);
  const { lonelyScan, participant, validator } = network;
  for (const each of [lonelyScan, participant, validator]) each.start();
  for (const each of [lonelyScan, participant, validator]) await each.ready(fetch);
}, 2 * MINUTE);

test(
  "a lost machine is replaced from the SV's identity and the log, while the others go on",
  async () => {
    const [, , third] = svs();
    await buy("before");
    await third.stop("SIGKILL");
    const file = join(third.dataFolder, "sv-3", "identity.json");
    const identity = readFileSync(file);
    rmSync(third.dataFolder, { recursive: true });
    await buy("lost");
    mkdirSync(join(third.dataFolder, "sv-3"), { recursive: true });
    writeFileSync(file, identity);
    third.start();
    await third.ready(fetch);
    for (const name of bought) expect(await network.ownerAt(3, name)).toBe(await network.ownerAt(1, name));
  },
  2 * MINUTE,
);

test(
  "an SV joins with approved keys, and the participant counts it",
  async () => {
    expect(await needed()).toBe(2);
    joined = network.addSv(JOINING, {
      joinWithKeyOnboarding: { ...keys, sponsorApiUrl: network.appUrl(1) },
    });
    joined.start();
    await joined.ready(fetch);
    await until(async () => (await needed()) === 3, "the participant needs three of four SVs", MINUTE);
    await buy("joined");
    // The validator would do it within 30 seconds.
    const urls = [1, 2, 3, JOINING].map((number) => network.sequencerUrl(number));
    await network.participantAdmin().setSequencerConnections({ body: { urls, threshold: null } });
  },
  2 * MINUTE,
);

test(
  "an SV rotates its signing key",
  async () => {
    const [, second] = svs();
    expect(await network.succeed(second, "keys", "rotate")).toContain("Rotated");
    await buy("rotated");
  },
  2 * MINUTE,
);

test(
  "an SV leaves by a vote, and the participant goes on with the others, one of them down",
  async () => {
    const [, second, third] = svs();
    const parties = await network.svParties();
    const voters = [1, 2, JOINING].map((number) => ({
      party: parties.get(`sv-${number}`) as PartyId,
      appUrl: network.appUrl(number),
    }));
    await voteOutSv(parties.get("sv-3") as PartyId, voters);
    await until(async () => (await needed()) === 2, "the participant needs two of three SVs", MINUTE);
    const isTold = async () => (await third.missing(fetch))?.includes("was offboarded") === true;
    await until(isTold, "the SV that left says so", MINUTE);
    for (const gone of [third, second]) await gone.stop("SIGKILL");
    await buy("after");
    second.start();
    await second.ready(fetch);
    for (const name of bought) {
      const owner = await network.ownerAt(1, name);
      for (const number of [2, JOINING, SharedLogNetwork.LONELY])
        expect(await network.ownerAt(number, name)).toBe(owner);
    }
  },
  2 * MINUTE,
);
