/** The SVs' work on rounds and rewards in a sandbox network, each as itself: count, confirm, issue, close, expire. */
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  SummarizingMiningRound,
} from "../src/contracts/splice-amulet/declarations/round.ts";
import type { TransferContext, TransferInput } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import { onAmuletRules } from "../src/contracts/splice-dso-governance/confirmed-actions.ts";
import type { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { SvRewardState } from "../src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { expiryBatches, isRoundArchivable, type LeftCoupons } from "../src/rounds/expire-coupons.ts";
import type { BeneficiaryShare } from "../src/rounds/receive-sv-rewards.ts";
import type { RoundSummary } from "../src/rounds/summarize-round.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { Decimal } from "../src/values/decimal.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { allCoins, sumOfCoins } from "./all-coins.ts";
import type { DsoFixture } from "./dso-fixture.ts";
import { couponsLeftOf, issuingRounds, nextSvRewards, summaryOf } from "./round-coupons.ts";

interface OfRound {
  readonly contractId: ContractId;
  readonly payload: { readonly round: { readonly number: bigint } };
}

export class SvRounds {
  readonly #network: DsoFixture;

  constructor(network: DsoFixture) {
    this.#network = network;
  }

  /** The SV receives its coupons for the first round it can; undefined if there is none. */
  receive(sv: PartyId, beneficiaries: readonly BeneficiaryShare[] = []): readonly ContractId[] | undefined {
    const network = this.#network;
    const argument = nextSvRewards(network, sv, () => beneficiaries);
    if (argument === undefined) return undefined;
    return network.bySv("DsoRules_ReceiveSvRewardCoupon", argument, sv).svRewardCoupons;
  }

  rewardState(svName: string) {
    const found = this.#network.sandbox
      .active(SvRewardState)
      .find(({ payload }) => payload.svName === svName);
    if (found === undefined) throw new Error(`${svName} has no reward state`);
    return found;
  }

  /** The totals that every SV counts for a round's coupons. */
  summary(round: bigint): RoundSummary {
    return summaryOf(this.#network.sandbox, round);
  }

  /** The action that SVs confirm to have a round issue. */
  startIssuingAction(
    round: bigint,
    summary: RoundSummary = this.summary(round),
  ): ActionRequiringConfirmation {
    const miningRoundCid = this.#cidOf(SummarizingMiningRound, round);
    return onAmuletRules({ tag: "CRARC_MiningRound_StartIssuing", value: { miningRoundCid, summary } });
  }

  startIssuing(round: bigint): IssuingMiningRound {
    this.#network.agree(this.startIssuingAction(round));
    return this.issuing(round);
  }

  issuing(round: bigint): IssuingMiningRound {
    return this.#network.sandbox.payloadOf(IssuingMiningRound, this.#cidOf(IssuingMiningRound, round));
  }

  close(round: bigint, sv?: PartyId): ContractId {
    const network = this.#network;
    const issuingRoundCid = this.#cidOf(IssuingMiningRound, round);
    const argument = { amuletRulesCid: network.amuletRules, issuingRoundCid };
    return network.bySv("DsoRules_MiningRound_Close", argument, sv).closedRound;
  }

  left(round: bigint): LeftCoupons {
    // Faucet coupons hold nothing up.
    const { faucetCouponCids: _, ...left } = couponsLeftOf(this.#network.sandbox, round);
    return left;
  }

  /** Expires all that is left of a closed round; the unclaimed rewards, in the order of the batches. */
  claimExpired(round: bigint, sv?: PartyId): readonly (ContractId | null)[] {
    const network = this.#network;
    return expiryBatches(this.#cidOf(ClosedMiningRound, round), this.left(round)).map((choiceArg) => {
      const argument = { amuletRulesCid: network.amuletRules, choiceArg };
      return network.bySv("DsoRules_ClaimExpiredRewards", argument, sv).unclaimedReward;
    });
  }

  isArchivable(round: bigint): boolean {
    return isRoundArchivable(this.left(round));
  }

  archive(round: bigint): void {
    const closedRoundCid = this.#cidOf(ClosedMiningRound, round);
    this.#network.agree(onAmuletRules({ tag: "CRARC_MiningRound_Archive", value: { closedRoundCid } }));
  }

  /** A party turns its rewards into coin, by a transfer to itself with no output but the change. */
  mint(party: PartyId, inputs: readonly TransferInput[], context: Partial<TransferContext> = {}): void {
    const network = this.#network;
    const issuingMiningRounds = issuingRounds(network.sandbox);
    const disclose = [...network.disclosures(), ...issuingMiningRounds.map(([, cid]) => cid)];
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_Transfer",
      {
        transfer: { sender: party, provider: party, inputs, outputs: [], beneficiaries: null },
        context: network.transferContext({ issuingMiningRounds, ...context }),
        expectedDso: network.dso,
      },
      { actAs: [party], readAs: [network.dso], disclose },
    );
  }

  /** All coin there is, locked or not. */
  supply(): Decimal {
    return sumOfCoins(allCoins(this.#network.sandbox));
  }

  #cidOf(
    template: typeof SummarizingMiningRound | typeof IssuingMiningRound | typeof ClosedMiningRound,
    round: bigint,
  ): ContractId {
    const rounds: readonly OfRound[] = this.#network.sandbox.active(template);
    const found = rounds.find(({ payload }) => payload.round.number === round);
    if (found === undefined) throw new Error(`there is no ${template.entity} ${round}`);
    return found.contractId;
  }
}
