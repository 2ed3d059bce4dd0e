// Candidates that ask to become SVs, with tokens that their approved keys have signed: those that the SVs do not let in.

import { randomUUID } from "node:crypto";
import { createClient, HttpError, svApi } from "@callsign/api";
import { beforeAll, expect, test } from "vitest";
import {
  addDuration,
  BACKED_TIME_VERSION,
  Confirmation,
  DsoRules,
  decodeText,
  exerciseCommand,
  type PartyId,
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "../../packages/ledger/src/index.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import { signSvToken } from "../../packages/sv/src/onboarding/sv-onboarding-token.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { newCandidateKeys } from "../support/candidate-keys.ts";
import { newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { identityNamed, type SvNodes, startSvNodes } from "../support/sv-nodes.ts";

const keys = newCandidateKeys();
const approvedSvs = ["sv-2", "sv-5", "sv-6", "sv-7"].map((name) => ({
  ...{ name, publicKey: keys.publicKey, rewardWeightBps: 10_000n },
}));
const atEnd = atEndOfFile();
let network: SvNodes;
let participant: TestParticipant;
const participantId = () => `PAR::${participant.participantId}`;
const allocate = async (partyIdHint: string) => {
  const { partyDetails } = await participant.admin.allocateParty({ body: { partyIdHint } });
  return partyDetails.party as PartyId;
};
const first = () => network.svs[0] as SvNode;
const app = () => createClient(svApi, { fetch, baseUrl: `${first().appUrl}/api/sv` });
const dso = () => first().replica.state.network?.dso as PartyId;
const settle = async () => {
  for (const sv of network.svs) await sv.idle();
};
const tokenOf = (name: string, party: PartyId, participantId: string) =>
  signSvToken({ name, key: keys.publicKey, party, participantId, dso: dso() }, keys.privateKey);

beforeAll(async () => {
  const terms = { protocolVersion: BACKED_TIME_VERSION, isDevNet: false };
  network = await startSvNodes(4, atEnd, terms, { approvedSvs, app: { auth: { kind: "none" } } });
  participant = await newParticipant(network.sequencers, { nodeIdentifier: "candidate" }, atEnd);
  await ready(participant);
}, 120_000);

test("a candidate whose party is hosted by nobody is told so by its sponsor, and no request is made", async () => {
  const identity = identityNamed("stranger");
  const token = tokenOf("sv-5", svPartyOf({ identity }), `PAR::${identity.id}`);
  await expect(app().startSvOnboarding({ body: { token } })).rejects.toSatisfy(
    (error) => error instanceof HttpError && error.message.includes("is not hosted by participant"),
  );
  expect(network.list(SvOnboardingRequest)).toEqual([]);
});

test("a candidate is confirmed by no SV with another SV's name, or another participant than its party's", async () => {
  const party = await allocate("sv-6");
  const named = await allocate("sv-2");
  await app().startSvOnboarding({ body: { token: tokenOf("sv-2", named, participantId()) } });
  // The sponsor puts a request on the ledger that it should have refused.
  const other = `PAR::nobody::${party.split("::")[1]}`;
  await putRequest("sv-6", party, other);
  expect(network.list(SvOnboardingRequest)).toHaveLength(2);
  await settle();
  expect([network.list(Confirmation), network.list(SvOnboardingConfirmed)]).toEqual([[], []]);
});

async function putRequest(candidateName: string, candidateParty: PartyId, candidateParticipantId: string) {
  const { identity, replica } = first();
  const [rules] = network.list(DsoRules);
  const command = exerciseCommand(DsoRules, rules?.contractId as never, "DsoRules_StartSvOnboarding", {
    ...{ candidateName, candidateParty, candidateParticipantId, sponsor: svPartyOf({ identity }) },
    token: tokenOf(candidateName, candidateParty, candidateParticipantId),
  });
  const value = {
    ...{ network: replica.state.network?.id ?? "", member: identity.id, submissionId: randomUUID() },
    ...{ maxRecordTime: addDuration(first().now(), HOUR), userId: "sv", commandId: randomUUID() },
    ...{ workflowId: "", actAs: [svPartyOf({ identity })], readAs: [dso()], minLedgerTime: null },
    ...{ deduplicateFrom: first().now(), commands: [command], disclosed: [] },
  };
  const sequence = await first().submit(signEntry({ tag: "Submit", value }, [identity.signingKey]));
  for (const sv of network.svs) await sv.replica.reach(sequence, AbortSignal.timeout(60_000));
}

test("a candidate that asks several times has one request, and is confirmed once", async () => {
  const party = await allocate("sv-7");
  const token = tokenOf("sv-7", party, participantId());
  const ask = () => app().startSvOnboarding({ body: { token } });
  await Promise.all([ask(), ask()]);
  const isConfirmed = () => network.list(SvOnboardingConfirmed).length > 0;
  await until(isConfirmed, "a quorum has confirmed it", 60_000);
  await ask();
  await settle();
  const requests = network.list(SvOnboardingRequest).map(({ payload }) => {
    const { candidateParty } = decodeText(SvOnboardingRequest.record, payload);
    return candidateParty;
  });
  expect(requests.filter((candidate) => candidate === party)).toHaveLength(1);
  expect(network.list(SvOnboardingConfirmed)).toHaveLength(1);
  // One that came late lapses.
  expect(network.list(Confirmation).length).toBeLessThan(2);
});

test("a node whose onboarding keys do not belong to each other does not start", async () => {
  const joining = { ...keys, publicKey: newCandidateKeys().publicKey, sponsorUrl: "http://127.0.0.1:9" };
  await expect(network.reopen(4, { joining })).rejects.toThrow(
    "the keys of the SV's onboarding cannot be used: the private key does not belong to the public key",
  );
});
