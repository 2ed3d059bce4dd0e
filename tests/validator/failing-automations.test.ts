// Automations whose participant fails: they wait longer and longer, say so, and do each thing once when it is well.

import { type PartyId, ValidatorLivenessActivityRecord } from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork, validatorClient } from "../support/local-network.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let validator: Validator;
let recover: () => void = () => undefined;
/** When each submission came, by the process's clock. */
const submissions: number[] = [];

const away = {
  status: 503,
  body: {
    ...{ code: "SERVICE_NOT_RUNNING", cause: "not now", errorCategory: 1, grpcCodeValue: 14 },
    definiteAnswer: true,
  },
};

beforeAll(async () => {
  // Its own validator records no liveness: that is left to the one that reaches it through the faulty participant.
  network = await LocalNetwork.start();
  participant = await startFaultyParticipant(network.net.nodes["app-user"].ledgerUrl);
  let isWell = false;
  participant.spoil = (path, body) => {
    if (!path.startsWith("/v2/commands") || !body.includes("RecordValidatorLivenessActivity"))
      return undefined;
    submissions.push(performance.now());
    return isWell ? undefined : away;
  };
  recover = () => {
    isWell = true;
  };
  const change = { participantUrl: participant.url, pausedAutomations: [] };
  validator = await network.startValidator(["app-user"], "faulty", change);
}, 30_000);
afterAll(async () => {
  await network?.close();
  await participant?.close();
});

async function liveness() {
  const operator = validatorClient(validator.url, network.net.serviceToken);
  const { automations } = await operator.listAutomations();
  return automations.find(({ automation }) => automation === "record-liveness");
}

test("a task that fails again and again is tried ever more rarely, and is called stuck", async () => {
  await expect.poll(async () => (await liveness())?.stuck.length, { timeout: 60_000 }).toBe(1);
  const status = await liveness();
  expect(status?.stuck).toEqual([
    { task: "round 0", failures: 4, reason: expect.stringContaining("SERVICE_NOT_RUNNING") },
  ]);
  expect(status).toMatchObject({ done: 0, failed: 4, waiting: 1 });
  expect(status?.waits).toEqual([
    { task: "round 0", for: "another try", reason: expect.stringContaining("not now") },
  ]);
  // Four tries of six sendings at most, and pauses of 250, 500 and 1000 ms between them.
  expect(submissions.length).toBeLessThanOrEqual(24);
  expect((submissions.at(-1) ?? 0) - (submissions[0] ?? 0)).toBeGreaterThan(1750);
}, 30_000);

test("when the participant is well again, each round has its record, once", async () => {
  recover();
  const operator = validator.operatorParty() as PartyId;
  const rounds = async () =>
    (await network.listActive(ValidatorLivenessActivityRecord, operator)).map(({ payload }) =>
      Number(payload.round.number),
    );
  await expect.poll(async () => (await rounds()).sort(), { timeout: 60_000 }).toEqual([0, 1]);
  await validator.idle();
  expect(await liveness()).toMatchObject({ done: 2, waiting: 0, stuck: [] });
}, 30_000);
