/**
 * There are always two ExternalPartyConfigStates, a day apart, each alive for two days. They copy the oldest
 * open round's number, so that coin expiry lags behind the rounds, and price and limits of the newest usable.
 */
import { abort, requireThat } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { DAY } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration, type Time } from "../../../values/time.ts";
import { fetchAndArchive, fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso } from "../../checks/contract-group.ts";
import { requireDeadlineExceeded } from "../../checks/deadline.ts";
import type { AmuletConfig } from "../declarations/amulet-config.ts";
import type { AmuletRules, OpenMiningRoundTriple } from "../declarations/amulet-rules.ts";
import { ExternalPartyConfigState } from "../declarations/external-party-config-state.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { isNext } from "../rounds/round-life-cycle.ts";

export function createFirstConfigStates(
  update: Update,
  { dso, configSchedule }: AmuletRules,
  rounds: OpenMiningRoundTriple,
): void {
  const tick = configStateTick(configSchedule.initialValue);
  const first = configState(update, dso, rounds, addDuration(update.now, tick));
  update.create(ExternalPartyConfigState, first);
  const targetArchiveAfter = addDuration(first.targetArchiveAfter, tick);
  update.create(ExternalPartyConfigState, { ...first, targetArchiveAfter });
}

/** Replaces the older of the two by one that lives for two ticks from now. */
export function replaceConfigState(
  update: Update,
  { dso, configSchedule }: AmuletRules,
  given: { readonly older: ContractId; readonly newer: ContractId; readonly rounds: OpenMiningRoundTriple },
): ContractId {
  const lifetime = 2n * configStateTick(configSchedule.initialValue);
  const next = configState(update, dso, given.rounds, addDuration(update.now, lifetime));
  const ofDso = forDso(dso);
  const older = fetchAndArchive(update, ExternalPartyConfigState, given.older, ofDso);
  const newer = fetchChecked(update, ExternalPartyConfigState, given.newer, ofDso);
  const due = older.targetArchiveAfter;
  requireDeadlineExceeded("ExternalPartyConfigState0.targetArchiveAfter", update.now, due);
  const inOrder = due <= newer.targetArchiveAfter;
  requireThat(
    "ExternalPartyConfigState0.targetArchiveAfter <= ExternalPartyConfigState1.targetArchiveAfter",
    inOrder,
  );
  return update.create(ExternalPartyConfigState, next);
}

function configStateTick(config: AmuletConfig): bigint {
  return config.externalPartyConfigStateTickDuration?.microseconds ?? DAY;
}

function configState(
  update: Update,
  dso: PartyId,
  triple: OpenMiningRoundTriple,
  targetArchiveAfter: Time,
): ExternalPartyConfigState {
  const { oldest, newestUsable } = fetchTriple(update, dso, triple);
  const { holdingFee, maxNumInputs, maxNumOutputs, maxNumLockHolders } = newestUsable.transferConfigUsd;
  return {
    dso,
    holdingFeesOpenRoundNumber: oldest.round,
    amuletPrice: newestUsable.amuletPrice,
    transferConfig: { holdingFee, maxNumInputs, maxNumOutputs, maxNumLockHolders },
    targetArchiveAfter,
  };
}

function fetchTriple(
  update: Update,
  dso: PartyId,
  triple: OpenMiningRoundTriple,
): { readonly oldest: OpenMiningRound; readonly newestUsable: OpenMiningRound } {
  const roundOf = (contractId: ContractId) => fetchChecked(update, OpenMiningRound, contractId, forDso(dso));
  const round0 = roundOf(triple.round0Cid);
  const round1 = roundOf(triple.round1Cid);
  const round2 = roundOf(triple.round2Cid);
  requireThat("round1 = round0 + 1", isNext(round1, round0));
  requireThat("round2 = round1 + 1", isNext(round2, round1));
  const newestUsable = [round2, round1, round0].find(({ opensAt }) => opensAt <= update.now);
  return { oldest: round0, newestUsable: newestUsable ?? abort("maximumOn: empty list") };
}
