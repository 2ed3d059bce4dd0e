// Votes, closed rounds and the liveness of validators: answers of scan beside the contracts of the ledger.

import type { ReceivedFaucets, WireContract } from "@callsign/api";
import { expect, test } from "vitest";
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import { ClosedMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { ValidatorLicense } from "../../packages/ledger/src/contracts/splice-amulet/declarations/validator-license.ts";
import { onDsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { VoteRequest } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/vote-request.ts";
import { exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import { Economy } from "./economy.ts";
import { ServedWorld } from "./served-world.ts";

const idsOf = (contracts: readonly { readonly contract_id: string }[]) =>
  contracts.map(({ contract_id }) => contract_id);

async function get<T>(world: ServedWorld, path: string): Promise<T> {
  await world.scan();
  return (await world.getJson(`/api/scan${path}`)).body as T;
}

test("a request for a vote is found by its first id and by its present one, with the votes so far", async () => {
  const world = await ServedWorld.start();
  const { network } = world;
  const [first, second] = world.dso.svs as [SvActor, SvActor];
  const rules = () => network.only(DsoRules).contractId;
  const request = {
    requester: first.party,
    action: onDsoRules({ tag: "SRARC_OffboardSv", value: { sv: second.party } }),
    reason: { url: "", body: "a test" },
    voteRequestTimeout: relTime(7n * DAY),
    targetEffectiveAt: null,
  };
  accept(first.submit([exerciseCommand(DsoRules, rules(), "DsoRules_RequestVote", request)]));
  const made = network.only(VoteRequest).contractId;
  const vote = { sv: second.party, accept: false, reason: { url: "", body: "no" }, optCastAt: null };
  const cast = { requestCid: made, vote };
  accept(second.submit([exerciseCommand(DsoRules, rules(), "DsoRules_CastVote", cast)]));
  const now = network.only(VoteRequest).contractId;
  expect(now).not.toBe(made);

  const open = await get<{ dso_rules_vote_requests: WireContract[] }>(world, "/v0/admin/sv/voterequests");
  expect(idsOf(open.dso_rules_vote_requests)).toEqual([now]);
  for (const id of [made, now]) {
    type Found = { dso_rules_vote_request: WireContract };
    const { dso_rules_vote_request: found } = await get<Found>(world, `/v0/voterequests/${id}`);
    expect([found.contract_id, (found.payload["votes"] as unknown[]).length]).toEqual([now, 2]);
  }
  const body = { vote_request_contract_ids: [made, "00ab"] };
  const batch = await world.postJson("/api/scan/v0/voterequest", body);
  expect(idsOf((batch.body as { vote_requests: WireContract[] }).vote_requests)).toEqual([now]);
  const prices = await get<{ amulet_price_votes: WireContract[] }>(world, "/v0/amulet-price/votes");
  const votes = network.active(AmuletPriceVote, network.dso).map(({ contractId }) => contractId);
  expect(idsOf(prices.amulet_price_votes).sort()).toEqual([...votes].sort());
  expect(votes.length).toBeGreaterThan(0);
});

test("closed rounds and the rounds in which a validator was up are those of the ledger", async () => {
  const world = await ServedWorld.start();
  const economy = new Economy(world);
  for (let round = 0; round < 6; round++) {
    if (round % 3 !== 2) accept(economy.validator.reportLiveness());
    economy.dso.nextRound();
  }
  const { network } = world;
  const closed = network.active(ClosedMiningRound, network.dso);
  const numbers = closed.map(({ payload }) => payload.round.number).sort((a, b) => Number(a - b));
  const { rounds } = await get<{ rounds: { payload: { round: { number: string } } }[] }>(
    world,
    "/v0/closed-rounds",
  );
  expect(rounds.map(({ payload }) => BigInt(payload.round.number))).toEqual(numbers);
  expect(numbers.length).toBeGreaterThan(0);

  const { faucetState } = network.only(ValidatorLicense).payload;
  const [from, to] = [faucetState?.firstReceivedFor.number ?? 0n, faucetState?.lastReceivedFor.number ?? 0n];
  const expected = {
    validator: world.validator.party,
    numRoundsCollected: 4,
    numRoundsMissed: Number(faucetState?.numCouponsMissed),
    firstCollectedInRound: Number(from),
    lastCollectedInRound: Number(to),
  };
  expect(expected.numRoundsCollected + expected.numRoundsMissed).toBe(Number(to - from) + 1);
  const query = `validator_ids=${encodeURIComponent(world.validator.party)}&validator_ids=nobody::1220ab`;
  type Found = { validatorsReceivedFaucets: ReceivedFaucets[] };
  const found = await get<Found>(world, `/v0/validators/validator-faucets?${query}`);
  expect(found).toEqual({ validatorsReceivedFaucets: [expected] });
  expect(await get(world, "/v0/top-validators-by-validator-faucets?limit=5")).toEqual({
    validatorsByReceivedFaucets: [expected],
  });
});
