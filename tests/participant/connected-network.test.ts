// The participant's answers about its synchronizer, its packages and its caller.

import { beforeAll, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, newActor, newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { refusalOf } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let sequencers: readonly string[];
beforeAll(async () => {
  ({ sequencers } = await startSvNodes(1, atEnd));
  participant = await newParticipant(sequencers, {}, atEnd);
  await ready(participant);
});

test("connected synchronizers are one, with the permission of a hosted party", async () => {
  const { party } = await newActor(participant, "alice");
  const permissions = async (query: { party?: string; participantId?: string }) => {
    const { connectedSynchronizers } = await participant.admin.listConnectedSynchronizers({ query });
    return connectedSynchronizers.map(({ permission }) => permission);
  };
  const { participantId } = participant;
  expect(await permissions({})).toEqual(["PARTICIPANT_PERMISSION_UNSPECIFIED"]);
  expect(await permissions({ party })).toEqual(["PARTICIPANT_PERMISSION_SUBMISSION"]);
  expect(await permissions({ party, participantId })).toEqual(["PARTICIPANT_PERMISSION_SUBMISSION"]);
  expect(await permissions({ party, participantId: `other${participantId}` })).toEqual([]);
  expect(await permissions({ party: party.replace("alice", "nobody") })).toEqual([]);
  expect(await refusalOf(permissions({ party: "no/party" }))).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("connected synchronizers are empty until a sequencer has answered", async () => {
  const alone = await newParticipant(["http://127.0.0.1:1"]);
  expect(await alone.admin.listConnectedSynchronizers()).toEqual({ connectedSynchronizers: [] });
});

test("the authenticated user is that of the caller's identity provider", async () => {
  const { user } = await participant.admin.getAuthenticatedUser();
  expect(user.id).toBe(ADMIN);
  const elsewhere = { query: { "identity-provider-id": "elsewhere" } };
  expect(await refusalOf(participant.admin.getAuthenticatedUser(elsewhere))).toMatchObject({ code: "NA" });
});

test("there is no authenticated user if authentication is disabled", async () => {
  const open = await newParticipant(sequencers, { auth: { kind: "none" } });
  const refused = await refusalOf(open.as(null).getAuthenticatedUser());
  expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
});

test("packages are listed in order, and each is known by its id", async () => {
  const { packageIds } = await participant.admin.listPackages();
  expect(packageIds).toEqual([...packageIds].sort());
  for (const id of packageIds) {
    const { packageStatus } = await participant.admin.getPackageStatus({ params: { "package-id": id } });
    expect(packageStatus).toBe("PACKAGE_STATUS_REGISTERED");
  }
});
