/** Actions of SVs, together or alone, in any order, late, or only some of them. */

import { RequestWithdrawal } from "../../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { TakeUpRequest } from "../../../packages/ledger/src/contracts/callsign-names/declarations/take-up.ts";
import { Amulet } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  AnsEntry,
  AnsRules,
} from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { onAmuletRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import { ActionRequiringConfirmation } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { Confirmation } from "../../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { actionToConfirm } from "../../../packages/ledger/src/contracts/splice-dso-governance/payment-action.ts";
import {
  SubscriptionIdleState,
  SubscriptionPayment,
  SubscriptionRequest,
  TerminatedSubscription,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { AnyTemplateDeclaration } from "../../../packages/ledger/src/engine/declaration.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import { addDuration } from "../../../packages/ledger/src/values/time.ts";
import { openRounds } from "../../../packages/ledger/testing/open-rounds.ts";
import type { ActiveContract } from "../../../packages/ledger/testing/simulated-network.ts";
import type { SvActor } from "../../../packages/ledger/testing/sv-actor.ts";
import type { World } from "../world.ts";
import { type Action, mustBeRejected, NOTHING, verdictOf } from "./action.ts";

const QUORUM: Readonly<Record<number, number>> = { 1: 1, 4: 3, 7: 5 };

/** Some SVs look at the payments that wait, and confirm what they decide, each once. */
function decide({ random, dso }: World): string {
  const decisions = dso.decideInitialPayments();
  let confirmed = 0;
  for (const sv of random.some(dso.svs)) {
    for (const decision of random.some(decisions)) {
      if (decision.kind === "leave") continue;
      const action = actionToConfirm(decision);
      if (dso.confirmationsOf(action).has(sv.party)) continue;
      if (sv.confirm(action).verdict.kind === "accepted") confirmed++;
    }
  }
  return `${decisions.length} payments to decide, ${confirmed} confirmations`;
}

/** Actions with an active confirmation, each once. */
function listConfirmed({ network, dso }: World): readonly ActionRequiringConfirmation[] {
  const actions = network.active(Confirmation, network.dso).map(({ payload }) => payload.action);
  return actions.filter((action) => dso.confirmationsOf(action).size > 0);
}

/** Any SV executes what has a quorum; contracts it names may be gone by then. */
function execute(world: World): string {
  const { random, dso } = world;
  const enough = listConfirmed(world).filter((action) => {
    return dso.confirmationsOf(action).size >= (QUORUM[dso.svs.length] ?? 0);
  });
  const action = random.find(enough);
  if (action === undefined) return NOTHING;
  const cids = random.shuffle([...dso.confirmationsOf(action).values()]);
  return `executes ${kindOf(action)}: ${verdictOf(random.pick(dso.svs).execute(action, cids))}`;
}

/** Too few, the same twice, those of another action, lapsed ones: never enough. */
function executeBadly(world: World): string {
  const { random, dso, network } = world;
  const action = random.find(listConfirmed(world));
  const needed = QUORUM[dso.svs.length] ?? 0;
  if (action === undefined) return NOTHING;
  const few = new Map([...dso.confirmationsOf(action)].slice(0, needed - 1));
  const text = ActionRequiringConfirmation.encode(action);
  const padded = new Map(few);
  for (const { contractId, payload } of random.shuffle(network.active(Confirmation, network.dso))) {
    const isBad =
      payload.expiresAt <= network.now || ActionRequiringConfirmation.encode(payload.action) !== text;
    if (isBad && !padded.has(payload.confirmer)) padded.set(payload.confirmer, contractId);
  }
  const twice = [...few.values(), ...few.values()];
  const cids = random.pick([[...few.values()], twice, [...padded.values()], [...padded.values()]]);
  const outcome = random.pick(dso.svs).execute(action, cids);
  return `executes ${kindOf(action)} without a quorum: ${mustBeRejected("an action without a quorum", outcome)}`;
}

function kindOf(action: ActionRequiringConfirmation): string {
  return action.tag === "ARC_AnsEntryContext" ? action.value.ansEntryContextAction.tag : action.tag;
}

function renewals({ random, dso }: World): string {
  const done = random.some(dso.decideRenewals()).map((decision) => {
    const outcome = random.pick(dso.svs).carryOutRenewal(decision);
    return outcome === null ? "left" : `${decision.kind} ${verdictOf(outcome)}`;
  });
  return `renewals: ${done.join(", ")}`;
}

/** An SV collects or returns a renewal at any time: the contracts decide if it may. */
function renewAnyway({ random, network, dso }: World): string {
  const payment = random.find(network.active(SubscriptionPayment, network.dso));
  const contextCid = payment === undefined ? undefined : dso.contextOf(payment.payload.reference);
  const entry = network
    .active(AnsEntry, network.dso)
    .find(({ payload }) => payload.expiresAt === payment?.payload.thisPaymentDueAt);
  if (payment === undefined || contextCid === undefined || entry === undefined) return NOTHING;
  const { thisPaymentDueAt: due, round } = payment.payload;
  if (due > network.now + 3n) network.advanceTo(addDuration(due, -BigInt(random.between(1, 3))));
  const rounds = openRounds(network);
  const open = rounds.find(({ payload }) => payload.round.number === round.number) ?? rounds[2];
  const inputs = {
    paymentCid: payment.contractId,
    amuletRulesCid: network.only(AmuletRules).contractId,
    openMiningRoundCid: open.contractId,
  };
  const ansRulesCid = network.only(AnsRules).contractId;
  const decision = random.pick([
    { kind: "collect", contextCid, entryCid: entry.contractId, ansRulesCid, ...inputs } as const,
    { kind: "return", reason: "entry expired", ...inputs } as const,
  ]);
  const outcome = random.pick(dso.svs).carryOutRenewal(decision);
  return `${decision.kind} anyway: ${outcome === null ? "left" : verdictOf(outcome)}`;
}

/** The automation at its best: everything that is due, at once. */
function settle({ dso }: World): string {
  return `settles with ${dso.settle()} entries`;
}

/** The rounds advance if they may; an SV that is too early is refused. */
function advanceRound({ random, dso }: World): string {
  return `advances rounds: ${verdictOf(random.pick(dso.svs).advanceRound())}`;
}

function vote({ random, dso }: World): string {
  const price = random.pick(["0.005", "0.3", "1.0", "0.0071", "3.3333333333", "0.0021"]);
  return `votes ${price}: ${verdictOf(random.pick(dso.svs).vote(decimal(price)))}`;
}

/** A quorum changes the coin's configuration: actions that name the old rules can no longer be executed. */
function setConfig({ random, network, dso }: World): string {
  const { initialValue: baseConfig } = network.only(AmuletRules).payload.configSchedule;
  const { transferConfig } = baseConfig;
  const holdingFee = { rate: decimal(random.pick(["0.0000190259", "0.0001", "0.01"])) };
  const newConfig = { ...baseConfig, transferConfig: { ...transferConfig, holdingFee } };
  const action = onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig, baseConfig } });
  for (const sv of dso.svs) if (!dso.confirmationsOf(action).has(sv.party)) sv.confirm(action);
  const outcome = dso.execute(action, network.svs);
  return `sets the configuration: ${verdictOf(outcome)}`;
}

/** Holding fees eat the smallest coins first; what they have not eaten up stays. */
function sweep({ random, network, dso }: World): string {
  const [smallest] = [...network.active(Amulet, network.dso)].sort((a, b) => {
    return a.payload.amount.initialAmount < b.payload.amount.initialAmount ? -1 : 1;
  });
  if (smallest === undefined) return NOTHING;
  return `sweeps a coin: ${verdictOf(random.pick(dso.svs).expireCoin(smallest.contractId))}`;
}

/** An SV accepts any request, whether the name has a subscription or not, or discards it. */
function takeUp({ random, network, dso }: World): string {
  const request = random.find(network.active(TakeUpRequest));
  if (request === undefined) return NOTHING;
  const sv = random.pick(dso.svs);
  if (random.chance(0.2)) return `discards a take-up: ${verdictOf(sv.discardTakeUp(request.contractId))}`;
  return `takes up ${request.payload.name}: ${verdictOf(sv.takeUp(request.contractId))}`;
}

/** One SV does something with one random contract of the DSO's. */
function withOne<T extends AnyTemplateDeclaration>(
  name: string,
  weight: number,
  template: T,
  act: (sv: SvActor, contract: ActiveContract<T>, world: World) => Outcome | null,
): Action {
  const run = (world: World) => {
    const { random, network, dso } = world;
    const contract = random.find(network.active(template, network.dso));
    const outcome = contract === undefined ? null : act(random.pick(dso.svs), contract, world);
    return outcome === null ? NOTHING : `${template.entity}: ${verdictOf(outcome)}`;
  };
  return { name, weight, run };
}

export const svActions: readonly Action[] = [
  { name: "decide", weight: 14, run: decide },
  { name: "execute", weight: 14, run: execute },
  { name: "execute badly", weight: 3, run: executeBadly },
  { name: "renewals", weight: 14, run: renewals },
  { name: "renew anyway", weight: 4, run: renewAnyway },
  { name: "settle", weight: 5, run: settle },
  { name: "advance round", weight: 10, run: advanceRound },
  { name: "vote", weight: 4, run: vote },
  { name: "set config", weight: 1, run: setConfig },
  withOne("terminate", 4, TerminatedSubscription, (sv, { contractId, payload }, { dso }) => {
    const context = dso.contextOf(payload.reference);
    return context === undefined ? null : sv.terminateSubscription(context, contractId);
  }),
  withOne("expire subscription", 3, SubscriptionIdleState, (sv, { contractId, payload }, { dso }) => {
    const context = dso.contextOf(payload.reference);
    return context === undefined ? null : sv.expireSubscription(context, contractId);
  }),
  withOne("expire entry", 3, AnsEntry, (sv, { contractId }) => sv.expireEntry(contractId)),
  withOne("announce withdrawal", 3, SubscriptionRequest, (sv, { contractId }) =>
    sv.announceWithdrawal(contractId),
  ),
  withOne("withdraw request", 3, RequestWithdrawal, (sv, announced) => sv.withdrawRequest(announced)),
  withOne("discard withdrawal", 1, RequestWithdrawal, (sv, { contractId }) =>
    sv.discardWithdrawal(contractId),
  ),
  { name: "take up", weight: 6, run: takeUp },
  withOne("expire confirmation", 3, Confirmation, (sv, { contractId }) => sv.expireConfirmation(contractId)),
  { name: "sweep coin", weight: 3, run: sweep },
  {
    name: "config state",
    weight: 4,
    run: ({ random, dso }) => `replaces a state: ${verdictOf(random.pick(dso.svs).replaceConfigState())}`,
  },
];
