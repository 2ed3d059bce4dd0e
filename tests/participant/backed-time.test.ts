/** A participant on a network whose SVs back the time. */
import { expect, onTestFinished, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { newActor, newParticipant, ready } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

test("a participant registers, hosts parties and follows, also after the clock was moved", async () => {
  const { svs, sequencers } = await startSvNodes(4, onTestFinished);
  const [sv] = svs as readonly [SvNode];
  const participant = await newParticipant(sequencers);
  await ready(participant);
  await newActor(participant, "alice");
  const before = sv.replica.state.head.recordTime;
  await sv.moveClock(DAY);
  const bob = await newActor(participant, "bob");
  const { state } = sv.replica;
  expect(state.findHosting(bob.party as PartyId)?.hosts).toEqual([participant.participantId]);
  expect(state.head.recordTime - before).toBeGreaterThanOrEqual(DAY);
});
