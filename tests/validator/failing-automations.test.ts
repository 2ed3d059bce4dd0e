// Automations whose participant fails: they retry, show it, and do each task once when the participant is back.

import { type PartyId, ValidatorLivenessActivityRecord } from "@callsign/ledger";
import type { Validator } from "@callsign/validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { automationOf } from "../support/automation-of.ts";
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let validator: Validator;
let recover: () => void = () => undefined;
let submissions = 0;

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
    submissions++;
    return isWell ? undefined : away;
  };
  recover = () => {
    isWell = true;
  };
  const change = { participantUrl: participant.url, pausedAutomations: [] };
  validator = await network.startValidator(["app-user"], "faulty", change);
});
afterAll(async () => {
  await network?.close();
  await participant?.close();
});

const liveness = () =>
  automationOf(validatorClient(validator.url, network.net.serviceToken), "record-liveness");

test("a task that keeps failing is retried a few times, and is called stuck", async () => {
  let status = await liveness();
  const countStuck = async () => {
    status = await liveness();
    return status.stuck.length;
  };
  await expect.poll(countStuck, { timeout: 60_000 }).toBe(1);
  expect(status.stuck).toEqual([
    { task: "round 0", failures: 4, reason: expect.stringContaining("SERVICE_NOT_RUNNING") },
  ]);
  expect(status).toMatchObject({ done: 0, failed: 4, waiting: 1 });
  expect(status.waits).toEqual([
    { task: "round 0", for: "another try", reason: expect.stringContaining("not now"), details: null },
  ]);
  // Four attempts of six sendings at most.
  expect(submissions).toBeLessThanOrEqual(24);
});

test("when the participant is back, each round gets its record, once", async () => {
  recover();
  const operator = validator.operatorParty() as PartyId;
  const rounds = async () =>
    (await network.listActive(ValidatorLivenessActivityRecord, operator)).map(({ payload }) =>
      Number(payload.round.number),
    );
  await expect.poll(async () => (await rounds()).sort(), { timeout: 60_000 }).toEqual([0, 1]);
  await validator.idle();
  expect(await liveness()).toMatchObject({ done: 2, waiting: 0, stuck: [] });
});
