/** The contracts that come with an SV: one for its name, and three for the party that operates its node. */
import type { Update } from "../../engine/update.ts";
import type { Decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { int64 } from "../../values/int64.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import type { DsoRulesConfig } from "./declarations/dso-rules-config.ts";
import { AmuletPriceVote, SvNodeState, SvRewardState, SvStatusReport } from "./declarations/sv-state.ts";
import type { SynchronizerNodeConfigMap } from "./declarations/synchronizer-config.ts";

/** The time between two votes of an SV on one matter, in microseconds. */
export function voteCooldown(config: Pick<DsoRulesConfig, "voteCooldownTime">): bigint {
  return config.voteCooldownTime?.microseconds ?? MINUTE;
}

export function createContractsOfSv(
  update: Update,
  { dso, svName, joinedAsOfRound }: { dso: PartyId; svName: string; joinedAsOfRound: Round },
): void {
  update.create(SvRewardState, {
    dso,
    svName,
    state: {
      numRoundsMissed: 0n,
      numRoundsCollected: 0n,
      lastRoundCollected: { number: int64(joinedAsOfRound.number - 1n) },
      numCouponsIssued: 0n,
    },
  });
}

export function createContractsOfSvParty(
  update: Update,
  given: {
    readonly dso: PartyId;
    readonly sv: PartyId;
    readonly svName: string;
    readonly synchronizerNodes: SynchronizerNodeConfigMap;
    readonly amuletPrice: Decimal | null;
    readonly config: DsoRulesConfig;
  },
): void {
  const { dso, sv, svName, synchronizerNodes, amuletPrice, config } = given;
  // Dated back by the cooldown, so that a new SV may vote at once.
  const lastUpdatedAt = addDuration(update.now, -voteCooldown(config));
  update.create(AmuletPriceVote, { dso, sv, amuletPrice, lastUpdatedAt });
  update.create(SvStatusReport, { dso, sv, svName, number: 0n, status: null });
  update.create(SvNodeState, { dso, sv, svName, state: { synchronizerNodes } });
}
