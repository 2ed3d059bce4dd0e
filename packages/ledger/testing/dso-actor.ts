/**
 * The SVs of a simulated network together: they decide by the rules in src/names, confirm, execute, and clean
 * up. Each call of `settle` does everything that is due, the way their automations would over time.
 */
import { RenewalPreference, RequestWithdrawal } from "../src/contracts/callsign-names/declarations/names.ts";
import { AmuletRules } from "../src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import {
  AnsEntry,
  AnsEntryContext,
  AnsRules,
} from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { ActionRequiringConfirmation } from "../src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { Confirmation, DsoRules } from "../src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { actionToConfirm } from "../src/contracts/splice-dso-governance/payment-action.ts";
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { Command } from "../src/engine/command.ts";
import {
  decideInitialPayments,
  type InitialPaymentDecision,
  type PendingInitialPayment,
} from "../src/names/decide-initial-payments.ts";
import { decideRenewal, type RenewalDecision } from "../src/names/decide-renewal.ts";
import { isExpirable } from "../src/names/entry-liveness.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { nextRoundDue } from "./open-rounds.ts";
import type { SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";
import { SvActor } from "./sv-actor.ts";

export class DsoActor {
  readonly network: SimulatedNetwork;
  readonly svs: readonly SvActor[];

  constructor(network: SimulatedNetwork) {
    this.network = network;
    this.svs = network.svs.map((member) => new SvActor(network, member));
  }

  /** Everything that is due now; returns how many submissions it took. */
  settle(): number {
    const before = this.network.state.head.sequence;
    this.advanceRounds();
    for (const decision of this.decideInitialPayments()) this.carryOut(decision);
    for (const decision of this.decideRenewals()) this.#first.carryOutRenewal(decision);
    this.cleanUp();
    return this.network.state.head.sequence - before;
  }

  decideInitialPayments(): readonly InitialPaymentDecision[] {
    const { network } = this;
    const contexts = network.active(AnsEntryContext, network.dso);
    const byName = new Map<string, PendingInitialPayment[]>();
    for (const { contractId: paymentCid, payload } of network.active(
      SubscriptionInitialPayment,
      network.dso,
    )) {
      const context = contexts.find((candidate) => candidate.payload.reference === payload.reference);
      if (context === undefined) continue;
      const { name, url, description } = context.payload;
      const pending = byName.get(name) ?? [];
      pending.push({
        paymentCid,
        round: payload.round.number,
        isLocked: network.state.findContract(payload.lockedAmulet) !== undefined,
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

  /** Every SV confirms that has not yet; the last one to make the quorum executes. */
  carryOut(
    decision: InitialPaymentDecision,
    confirmers: readonly SimulatedMember[] = this.network.svs,
  ): Outcome | null {
    if (decision.kind === "leave") return null;
    const action = actionToConfirm(decision);
    const confirmed = this.confirmationsOf(action);
    for (const sv of confirmers) if (!confirmed.has(sv.party)) this.confirm(sv, action);
    return this.execute(action, confirmers);
  }

  confirm(sv: SimulatedMember, action: ActionRequiringConfirmation): Outcome {
    return this.sv(sv).confirm(action);
  }

  /** The last of the confirmers executes, with all confirmations that count. */
  execute(action: ActionRequiringConfirmation, confirmers: readonly SimulatedMember[]): Outcome {
    const sv = confirmers.at(-1) ?? this.#first.member;
    return this.sv(sv).execute(action, [...this.confirmationsOf(action).values()]);
  }

  /** The confirmations of an action that count: one for each SV, none that has lapsed. */
  confirmationsOf(action: ActionRequiringConfirmation): ReadonlyMap<PartyId, ContractId> {
    const text = ActionRequiringConfirmation.encode(action);
    const found = new Map<PartyId, ContractId>();
    for (const { contractId, payload } of this.network.active(Confirmation, this.network.dso)) {
      const { confirmer, expiresAt } = payload;
      const counts = expiresAt > this.network.now && !found.has(confirmer);
      if (counts && ActionRequiringConfirmation.encode(payload.action) === text)
        found.set(confirmer, contractId);
    }
    return found;
  }

  decideRenewals(): readonly RenewalDecision[] {
    const { network } = this;
    const contexts = network.active(AnsEntryContext, network.dso);
    return network.active(SubscriptionPayment, network.dso).map(({ contractId: cid, payload }) => {
      const context = contexts.find((candidate) => candidate.payload.reference === payload.reference);
      const entry = context === undefined ? undefined : this.#latestEntry(context.payload.name);
      return decideRenewal({
        ...this.#facts(),
        payment: {
          cid,
          round: payload.round.number,
          thisPaymentDueAt: payload.thisPaymentDueAt,
          isLocked: network.state.findContract(payload.lockedAmulet) !== undefined,
        },
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
    while (nextRoundDue(this.network) <= this.network.now) {
      const { verdict } = this.#first.advanceRound();
      if (verdict.kind !== "accepted") throw new Error(`rounds do not advance: ${JSON.stringify(verdict)}`);
    }
  }

  /** Tombstones, lapsed subscriptions, expired entries and announced withdrawals that are due or void go. */
  cleanUp(): void {
    const { network } = this;
    const { now, dso } = network;
    const first = this.#first;
    for (const { contractId, payload } of network.active(TerminatedSubscription, dso)) {
      const context = this.contextOf(payload.reference);
      if (context !== undefined) first.terminateSubscription(context, contractId);
    }
    for (const { contractId, payload } of network.active(SubscriptionIdleState, dso)) {
      const context = this.contextOf(payload.reference);
      const lapsed = isExpirable({ expiresAt: payload.nextPaymentDueAt, now });
      if (context !== undefined && lapsed) first.expireSubscription(context, contractId);
    }
    for (const announced of network.active(RequestWithdrawal, dso)) {
      const { reference, withdrawableAt } = announced.payload;
      if (network.find(SubscriptionRequest, reference) === null)
        first.discardWithdrawal(announced.contractId);
      else if (withdrawableAt <= now) first.withdrawRequest(announced);
    }
    for (const { contractId, payload } of network.active(AnsEntry, dso)) {
      if (isExpirable({ expiresAt: payload.expiresAt, now })) first.expireEntry(contractId);
    }
  }

  contextOf(reference: ContractId): ContractId | undefined {
    return this.network
      .active(AnsEntryContext, this.network.dso)
      .find(({ payload }) => payload.reference === reference)?.contractId;
  }

  /** SVs act as themselves and read as the DSO. */
  submitAs(sv: SimulatedMember, commands: readonly Command[]): Outcome {
    return this.sv(sv).submit(commands);
  }

  sv(member: SimulatedMember): SvActor {
    return this.svs.find((sv) => sv.member.id === member.id) ?? new SvActor(this.network, member);
  }

  get rules(): ContractId {
    return this.network.only(DsoRules).contractId;
  }

  get #first(): SvActor {
    return this.svs[0] as SvActor;
  }

  #latestEntry(name: string) {
    return this.network
      .active(AnsEntry, this.network.dso)
      .filter(({ payload }) => payload.name === name)
      .sort((a, b) => Number(b.payload.expiresAt - a.payload.expiresAt))[0];
  }

  #facts() {
    const { network } = this;
    return {
      now: network.now,
      openRounds: network
        .active(OpenMiningRound, network.dso)
        .map(({ contractId, payload }) => ({ number: payload.round.number, cid: contractId })),
      amuletRulesCid: network.only(AmuletRules).contractId,
      ansRulesCid: network.only(AnsRules).contractId,
    };
  }
}

/**
 * True if the wallet may renew on its own: unless the subscriber switched it off. If there are several
 * preferences, one that says no is enough (decision 0003); those of others do not count.
 */
export function autoRenews(network: SimulatedNetwork, reference: ContractId): boolean {
  const idle = network
    .active(SubscriptionIdleState, network.dso)
    .find(({ payload }) => payload.reference === reference);
  const subscriber = idle?.payload.subscriptionData.sender;
  return network
    .active(RenewalPreference)
    .filter(({ payload }) => payload.subscriber === subscriber && payload.reference === reference)
    .every(({ payload }) => payload.autoRenew);
}
