/**
 * The SVs of a simulated network: they decide by the rules in src/names, confirm, execute, and clean up. Each
 * call of `settle` does everything that is due, the way their automations would over time.
 */
import { NameCare, RenewalPreference } from "../src/contracts/callsign-names/declarations/names.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { Confirmation, DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../src/contracts/splice-dso-governance/declarations/sv-state.ts";
import { requiredConfirmations } from "../src/contracts/splice-dso-governance/required-confirmations.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { type Command, exerciseCommand } from "../src/engine/command.ts";
import { decideInitialPayments, type InitialPaymentDecision } from "../src/names/decide-initial-payments.ts";
import { decideRenewal, type RenewalDecision } from "../src/names/decide-renewal.ts";
import { isExpirable } from "../src/names/entry-liveness.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { laterTime, type Time } from "../src/values/time.ts";
import type { SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";

type Decision = Exclude<InitialPaymentDecision, { kind: "leave" }>;

export class DsoActor {
  readonly network: SimulatedNetwork;

  constructor(network: SimulatedNetwork) {
    this.network = network;
  }

  /** Everything that is due now; returns how many submissions it took. */
  settle(): number {
    const before = this.network.state.head.sequence;
    this.advanceRounds();
    for (const decision of this.decideInitialPayments()) this.carryOut(decision);
    for (const decision of this.decideRenewals()) this.#renew(decision);
    this.cleanUp();
    return this.network.state.head.sequence - before;
  }

  decideInitialPayments(): readonly InitialPaymentDecision[] {
    const { network } = this;
    const contexts = network.active(AnsEntryContext);
    const byName = new Map<string, { paymentCid: ContractId; round: bigint; context: Context | null }[]>();
    for (const { contractId: paymentCid, payload } of network.active(SubscriptionInitialPayment)) {
      const context = contexts.find((candidate) => candidate.payload.reference === payload.reference);
      if (context === undefined) continue;
      const { name, url, description } = context.payload;
      const pending = byName.get(name) ?? [];
      pending.push({
        paymentCid,
        round: payload.round.number,
        context: { cid: context.contractId, url, description },
      });
      byName.set(name, pending);
    }
    return [...byName].flatMap(([name, payments]) =>
      decideInitialPayments({
        ...this.#facts(),
        name,
        acronym: network.network.acronym,
        payments,
        entry: this.#latestEntry(name)?.payload ?? null,
      }),
    );
  }

  /** Every SV confirms; the last one to make the quorum executes. */
  carryOut(
    decision: InitialPaymentDecision,
    confirmers: readonly SimulatedMember[] = this.network.svs,
  ): Outcome | null {
    if (decision.kind === "leave") return null;
    const action = actionOf(decision);
    for (const sv of confirmers) this.confirm(sv, action);
    return this.execute(action, confirmers);
  }

  confirm(sv: SimulatedMember, action: ActionRequiringConfirmation): Outcome {
    return this.submitAs(sv, [
      exerciseCommand(DsoRules, this.rules, "DsoRules_ConfirmAction", { confirmer: sv.party, action }),
    ]);
  }

  execute(action: ActionRequiringConfirmation, confirmers: readonly SimulatedMember[]): Outcome {
    const sv = confirmers.at(-1) ?? (this.network.svs[0] as SimulatedMember);
    const text = ActionRequiringConfirmation.encode(action);
    const confirmationCids = this.network
      .active(Confirmation)
      .filter(({ payload }) => ActionRequiringConfirmation.encode(payload.action) === text)
      .map(({ contractId }) => contractId)
      .slice(0, Math.max(requiredConfirmations(this.network.svs.length), confirmers.length));
    return this.submitAs(sv, [
      exerciseCommand(DsoRules, this.rules, "DsoRules_ExecuteConfirmedAction", {
        action,
        amuletRulesCid: this.network.only(AmuletRules).contractId,
        confirmationCids,
        sv: sv.party,
      }),
    ]);
  }

  decideRenewals(): readonly RenewalDecision[] {
    const contexts = this.network.active(AnsEntryContext);
    return this.network.active(SubscriptionPayment).map(({ contractId: cid, payload }) => {
      const context = contexts.find((candidate) => candidate.payload.reference === payload.reference);
      const entry = context === undefined ? undefined : this.#latestEntry(context.payload.name);
      return decideRenewal({
        ...this.#facts(),
        payment: { cid, round: payload.round.number, thisPaymentDueAt: payload.thisPaymentDueAt },
        context:
          context === undefined
            ? null
            : { cid: context.contractId, owner: context.payload.user, ...context.payload },
        entry:
          entry === undefined ? null : { cid: entry.contractId, owner: entry.payload.user, ...entry.payload },
      });
    });
  }

  /** Opens the next round as often as one is due. */
  advanceRounds(): void {
    for (;;) {
      const rounds = [...this.network.active(OpenMiningRound)].sort((a, b) =>
        Number(a.payload.round.number - b.payload.round.number),
      );
      const [oldest, middle, latest] = rounds;
      if (oldest === undefined || middle === undefined || latest === undefined) return;
      const middleTick = middle.payload.opensAt + middle.payload.tickDuration.microseconds;
      const due = laterTime(
        laterTime(oldest.payload.targetClosesAt, latest.payload.opensAt),
        middleTick as Time,
      );
      if (due > this.network.now) return;
      const outcome = this.submitAs(this.#first, [
        exerciseCommand(DsoRules, this.rules, "DsoRules_AdvanceOpenMiningRounds", {
          amuletRulesCid: this.network.only(AmuletRules).contractId,
          roundToArchiveCid: oldest.contractId,
          middleRoundCid: middle.contractId,
          latestRoundCid: latest.contractId,
          amuletPriceVoteCids: this.network.active(AmuletPriceVote).map(({ contractId }) => contractId),
          sv: this.#first.party,
        }),
      ]);
      if (outcome.verdict.kind !== "accepted")
        throw new Error(`rounds do not advance: ${JSON.stringify(outcome.verdict)}`);
    }
  }

  /** Tombstones, lapsed subscriptions and expired entries go. */
  cleanUp(): void {
    const { network } = this;
    const { now, dso } = network;
    const sv = this.#first.party;
    const contextOf = (reference: ContractId) =>
      network.active(AnsEntryContext).find(({ payload }) => payload.reference === reference)?.contractId;
    for (const { contractId: terminatedSubscriptionCid, payload } of network.active(TerminatedSubscription)) {
      const ansEntryContextCid = contextOf(payload.reference);
      if (ansEntryContextCid === undefined) continue;
      const argument = { ansEntryContextCid, terminatedSubscriptionCid, sv };
      this.submitAs(this.#first, [
        exerciseCommand(DsoRules, this.rules, "DsoRules_TerminateSubscription", argument),
      ]);
    }
    for (const { contractId: subscriptionIdleStateCid, payload } of network.active(SubscriptionIdleState)) {
      const ansEntryContextCid = contextOf(payload.reference);
      if (ansEntryContextCid === undefined || !isExpirable({ expiresAt: payload.nextPaymentDueAt, now }))
        continue;
      const argument = { ansEntryContextCid, subscriptionIdleStateCid, choiceArg: { actor: dso }, sv };
      this.submitAs(this.#first, [
        exerciseCommand(DsoRules, this.rules, "DsoRules_ExpireSubscription", argument),
      ]);
    }
    for (const { contractId: ansEntryCid, payload } of network.active(AnsEntry)) {
      if (!isExpirable({ expiresAt: payload.expiresAt, now })) continue;
      const argument = { ansEntryCid, choiceArg: { actor: dso }, sv };
      this.submitAs(this.#first, [
        exerciseCommand(DsoRules, this.rules, "DsoRules_ExpireAnsEntry", argument),
      ]);
    }
  }

  /** SVs act as themselves and read as the DSO. */
  submitAs(sv: SimulatedMember, commands: readonly Command[]): Outcome {
    return this.network.submit(sv, { actAs: [sv.party], readAs: [this.network.dso], commands });
  }

  get rules(): ContractId {
    return this.network.only(DsoRules).contractId;
  }

  get #first(): SimulatedMember {
    return this.network.svs[0] as SimulatedMember;
  }

  #renew(decision: RenewalDecision): void {
    if (decision.kind === "leave") return;
    const { paymentCid, amuletRulesCid, openMiningRoundCid } = decision;
    const transferContext = {
      amuletRules: amuletRulesCid as ContractId,
      openMiningRound: openMiningRoundCid as ContractId,
      featuredAppRight: null,
    };
    const sv = this.#first;
    if (decision.kind === "return") {
      const argument = {
        sv: sv.party,
        dsoRulesCid: this.rules,
        paymentCid: paymentCid as ContractId,
        transferContext,
      };
      const care = this.network.only(NameCare).contractId;
      this.submitAs(sv, [exerciseCommand(NameCare, care, "NameCare_ReturnRenewalPayment", argument)]);
      return;
    }
    const choiceArg = {
      paymentCid: paymentCid as ContractId,
      entryCid: decision.entryCid as ContractId,
      transferContext,
      ansRulesCid: decision.ansRulesCid as ContractId,
    };
    const argument = { ansEntryContextCid: decision.contextCid as ContractId, choiceArg, sv: sv.party };
    this.submitAs(sv, [
      exerciseCommand(DsoRules, this.rules, "DsoRules_CollectEntryRenewalPayment", argument),
    ]);
  }

  #latestEntry(name: string) {
    return this.network
      .active(AnsEntry)
      .filter(({ payload }) => payload.name === name)
      .sort((a, b) => Number(b.payload.expiresAt - a.payload.expiresAt))[0];
  }

  #facts() {
    const { network } = this;
    return {
      now: network.now,
      openRounds: network
        .active(OpenMiningRound)
        .map(({ contractId, payload }) => ({ number: payload.round.number, cid: contractId })),
      amuletRulesCid: network.only(AmuletRules).contractId,
      ansRulesCid: network.only(AnsRules).contractId,
    };
  }
}

interface Context {
  readonly cid: ContractId;
  readonly url: string;
  readonly description: string;
}

/** The action SVs confirm for a decision. */
export function actionOf(decision: Decision): ActionRequiringConfirmation {
  const value = {
    paymentCid: decision.paymentCid as ContractId,
    transferContext: {
      amuletRules: decision.amuletRulesCid as ContractId,
      openMiningRound: decision.openMiningRoundCid as ContractId,
      featuredAppRight: null,
    },
    ansRulesCid: decision.ansRulesCid as ContractId,
  };
  return {
    tag: "ARC_AnsEntryContext",
    value: {
      ansEntryContextCid: decision.contextCid as ContractId,
      ansEntryContextAction:
        decision.kind === "collect"
          ? { tag: "ANSRARC_CollectInitialEntryPayment", value }
          : { tag: "ANSRARC_RejectEntryInitialPayment", value },
    },
  };
}

/** Whether the wallet may renew on its own: yes, unless the subscriber switched it off. */
export function autoRenews(network: SimulatedNetwork, reference: ContractId): boolean {
  const preferences = network
    .active(RenewalPreference)
    .filter(({ payload }) => payload.reference === reference);
  return preferences.every(({ payload }) => payload.autoRenew);
}
