/** A validator that knows one scan, and a participant that knows no sequencer: together they join, and stay. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import { beforeAll, expect, test } from "vitest";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { adminClient } from "../participant/admin-client.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { fresh } from "../support/fresh.ts";
import { validatorClient } from "../support/network-clients.ts";
import {
  ADMIN,
  AUDIENCE,
  newParticipant,
  ready,
  SECRET,
  type TestParticipant,
  tokenFor,
} from "../support/participants.ts";
import {
  ONBOARDING_SECRET,
  type PublishedNetwork,
  startPublishedNetwork,
} from "../support/published-network.ts";

const atEnd = atEndOfFile();
const auth = { kind: "hs256", secret: SECRET, audience: AUDIENCE } as const;
let network: PublishedNetwork;
let participant: TestParticipant;
let validator: Validator;
let folder: string;

async function start(change: Partial<ValidatorConfig>): Promise<Validator> {
  const token = await tokenFor(ADMIN);
  const log = createLog({ level: "warn", file: join(folder, "validator.log") });
  const started = await startValidator({
    dataFolder: join(folder, "validator"),
    ...{ host: "127.0.0.1", port: 0, participantUrl: participant.url, auth, log },
    scans: { kind: "bft", seedUrls: [network.svs[0]?.scan.url ?? ""] },
    serviceUser: { userId: ADMIN, token: () => token },
    walletUsers: ["alice"],
    operatorPartyHint: "some-validator-1",
    onboarding: { svUrl: `${network.svs[0]?.node.appUrl}/api/sv`, secret: ONBOARDING_SECRET },
    pausedAutomations: ["record-liveness"],
    ...change,
  });
  atEnd(() => started.close());
  return started;
}

const isReady = (each: Validator) => until(() => each.isReady(), "the validator is ready");

async function missing(url: string): Promise<string> {
  const response = await fetch(`${url}/readyz`);
  await response.text();
  return response.headers.get("x-callsign-missing") ?? "";
}

async function alice(each: Validator) {
  return validatorClient(each.url, await tokenFor("alice"));
}

beforeAll(async () => {
  folder = temporaryFolder(atEnd);
  network = await startPublishedNetwork(atEnd);
  participant = await newParticipant([], { dataFolder: join(folder, "participant") }, atEnd);
}, 120_000);

test("a participant without sequencers listens, says why it is not ready, and refuses submissions at once", async () => {
  expect(await missing(participant.url)).toBe(
    "no sequencer connections are set yet: the validator sets them through the admin API",
  );
  const party = participant.admin.allocateParty({ body: { partyIdHint: "early" } });
  expect(await outcomeOf(party)).toMatchObject({
    body: { code: "PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER" },
  });
});

test("the validator finds scans and sequencers through one scan, and hands the sequencers over", async () => {
  validator = await start({ sequencers: { kind: "from-scan" } });
  await isReady(validator);
  await ready(participant);
  const { urls, threshold } = await adminClient(participant.url).getSequencerConnections();
  expect([urls.toSorted(), threshold]).toEqual([network.sequencerUrls().toSorted(), null]);
});

test("a name is registered while an SV moves its scan and sequencer", async () => {
  const client = await alice(validator);
  await client.tap({ body: { amount: "100.0" } });
  const moving = network.move(3);
  const name = fresh("moved");
  const wanted = { name: `${name}.unverified.cns`, url: "", description: "" };
  const request = await client.createAnsEntry({ body: wanted });
  await adminClient(participant.url).setSequencerConnections({
    body: { urls: [...network.sequencerUrls()], threshold: 2 },
  });
  await client.acceptSubscriptionRequest({ params: { contract_id: request.subscriptionRequestCid } });
  await moving;
  const isLive = async () =>
    (await client.listAnsEntries()).entries.some(({ name: owned }) => owned === wanted.name);
  await until(isLive, "the name is live");
});

test("a restart works while the configured scan is down, and finds the sequencers that have moved", async () => {
  await validator.close();
  network.svs[0]?.scan.stop();
  validator = await start({ sequencers: { kind: "from-scan" } });
  await isReady(validator);
  const { urls, threshold } = await adminClient(participant.url).getSequencerConnections();
  expect([urls.toSorted(), threshold]).toEqual([network.sequencerUrls().toSorted(), null]);
  network.svs[0]?.scan.resume();
  await validator.close();
});

test("a chosen set of sequencers is handed over with its threshold", async () => {
  const chosen = { kind: "bft-custom", svNames: ["sv-1", "sv-2", "sv-3"], threshold: 3 } as const;
  validator = await start({ sequencers: chosen });
  await isReady(validator);
  expect(await adminClient(participant.url).getSequencerConnections()).toEqual({
    urls: network.sequencerUrls().slice(0, 3),
    threshold: 3,
    migrationId: null,
    needed: 3,
  });
  await ready(participant);
  network.svs[2]?.sequencer.stop();
  await until(() => !participant.isReady(), "two of three are not enough");
  expect(await missing(participant.url)).toMatch(/^2 of 3 sequencers can be followed, and 3 are needed/);
  network.svs[2]?.sequencer.resume();
  await ready(participant);
  await validator.close();
});

test("with one trusted scan and one trusted sequencer, each being down is told by its name, and passes", async () => {
  const [{ scan, sequencer }] = network.svs as [PublishedNetwork["svs"][number]];
  validator = await start({
    scans: { kind: "trust-single", url: `${scan.url}/api/scan` },
    sequencers: { kind: "trust-single", url: sequencer.url },
  });
  await isReady(validator);
  expect(await adminClient(participant.url).getSequencerConnections()).toEqual({
    urls: [sequencer.url],
    threshold: 1,
    migrationId: null,
    needed: 1,
  });
  const isSaid = (what: string) => readFileSync(join(folder, "validator.log"), "utf8").includes(what);
  await until(() => isSaid("trusts a single scan") && isSaid("trusts a single sequencer"), "both are told");
  const client = await alice(validator);

  scan.stop();
  expect(await outcomeOf(client.scanProxyGetDsoPartyId())).toMatchObject({ status: 502 });
  expect(validator.isReady()).toBe(false);
  expect(await missing(`${validator.url}/api/validator`)).toContain(
    `0 of 1 scans answer, and 1 are needed; missing: ${scan.url}/api/scan`,
  );
  scan.resume();
  await isReady(validator);

  sequencer.stop();
  await until(() => !participant.isReady(), "the participant notices");
  expect(await missing(participant.url)).toContain("0 of 1 sequencers can be followed, and 1 are needed");
  expect(await missing(participant.url)).toContain(sequencer.url);
  const refused = await outcomeOf(participant.admin.allocateParty({ body: { partyIdHint: "lost" } }));
  expect(refused).toMatchObject({ body: { code: "SEQUENCER_REQUEST_FAILED" } });
  sequencer.resume();
  await ready(participant);
  await participant.admin.allocateParty({ body: { partyIdHint: "found" } });
});

test("the participant's connections are used again after its restart", async () => {
  await validator.close();
  await participant.close();
  participant = await newParticipant([], { dataFolder: join(folder, "participant") }, atEnd);
  await ready(participant);
  expect((await adminClient(participant.url).getSequencerConnections()).urls).toHaveLength(1);
});
