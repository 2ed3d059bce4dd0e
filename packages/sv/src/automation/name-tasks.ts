/**
 * What is to be done about the payments for one name. A first payment needs a quorum: each SV confirms what it
 * decides, and once enough agree one of them executes. A renewal is no matter of opinion: one SV collects it, or gives
 * it back when it can no longer be collected.
 */
import {
  AnsEntry,
  actionToConfirm,
  type ContractId,
  decideInitialPayments,
  decideRenewal,
  exerciseCommand,
  NameCare,
  type PendingInitialPayment,
  type RenewalDecision,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  transferContextOf,
} from "@callsign/ledger";
import { confirmOrExecute } from "./confirm-action.ts";
import { exerciseDsoRules } from "./exercise-dso-rules.ts";
import type { Deciding, FoundContract, LedgerFacts } from "./ledger-facts.ts";
import type { Task } from "./task.ts";

/** Of a crowd that pays for one name, the earliest come first; the others follow once these are settled. */
const PAYMENTS_AT_ONCE = 100;
/** Entries of one name: one that lives, and those that nobody has archived yet. */
const ENTRIES_OF_NAME = 100;

interface DecidingOnNames extends Deciding {
  readonly acronym: string;
}

/** The key is that of the name, so that what it finds may be of several names. */
export function listNameTasks(deciding: DecidingOnNames, key: bigint): readonly Task[] {
  return [...listInitialPaymentTasks(deciding, key), ...listRenewalTasks(deciding, key)];
}

function listInitialPaymentTasks(deciding: DecidingOnNames, key: bigint): readonly Task[] {
  const { facts, rules, acronym } = deciding;
  const byName = new Map<string, PendingInitialPayment[]>();
  for (const { contractId, payload } of facts.list(SubscriptionInitialPayment, key, PAYMENTS_AT_ONCE)) {
    const context = facts.agenda.findContext(facts.contracts, payload.reference);
    if (context === null) continue;
    const { name, url, description } = context.payload;
    const payments = byName.get(name) ?? [];
    payments.push({
      paymentCid: contractId,
      round: payload.round.number,
      isLocked: facts.exists(payload.lockedAmulet),
      context: { cid: context.cid, url, description },
    });
    byName.set(name, payments);
  }
  return [...byName].flatMap(([name, payments]) =>
    decideInitialPayments({
      now: facts.now,
      openRounds: facts.rounds,
      amuletRulesCid: rules.amuletRulesCid,
      ansRulesCid: rules.ansRulesCid,
      name,
      acronym,
      payments,
      entry: findLatestEntry(facts, key, name)?.payload ?? null,
    }).flatMap((decision) => {
      if (decision.kind === "leave") return [];
      return confirmOrExecute(deciding, "decide-first-payments", actionToConfirm(decision)) ?? [];
    }),
  );
}

function listRenewalTasks(deciding: DecidingOnNames, key: bigint): readonly Task[] {
  const { facts } = deciding;
  return facts
    .list(SubscriptionPayment, key, PAYMENTS_AT_ONCE)
    .flatMap((payment) => carryOutRenewal(deciding, decide(deciding, key, payment)) ?? []);
}

function decide(
  { facts, rules }: DecidingOnNames,
  key: bigint,
  { contractId: cid, payload }: FoundContract<typeof SubscriptionPayment>,
): RenewalDecision {
  const { reference, round, thisPaymentDueAt, lockedAmulet } = payload;
  const context = facts.agenda.findContext(facts.contracts, reference);
  const entry = context === null ? null : findLatestEntry(facts, key, context.payload.name);
  return decideRenewal({
    now: facts.now,
    openRounds: facts.rounds,
    amuletRulesCid: rules.amuletRulesCid,
    ansRulesCid: rules.ansRulesCid,
    payment: { cid, round: round.number, thisPaymentDueAt, isLocked: facts.exists(lockedAmulet) },
    context: context === null ? null : { ...context.payload, cid: context.cid, owner: context.payload.user },
    entry: entry === null ? null : { ...entry.payload, cid: entry.contractId, owner: entry.payload.user },
  });
}

function carryOutRenewal({ rules, sv }: DecidingOnNames, decision: RenewalDecision): Task | null {
  if (decision.kind === "leave") return null;
  const automation = "collect-renewals";
  const paymentCid = decision.paymentCid as ContractId;
  const transferContext = transferContextOf(decision);
  if (decision.kind === "return") {
    const dsoRulesCid = rules.dsoRules.contractId;
    const argument = { sv, dsoRulesCid, paymentCid, transferContext };
    const command = exerciseCommand(NameCare, rules.nameCareCid, "NameCare_ReturnRenewalPayment", argument);
    return {
      automation,
      key: `return ${paymentCid} ${transferContext.openMiningRound}`,
      commands: [command],
      enough: 1,
    };
  }
  const entryCid = decision.entryCid as ContractId;
  const command = exerciseDsoRules(rules, sv, "DsoRules_CollectEntryRenewalPayment", {
    ansEntryContextCid: decision.contextCid as ContractId,
    choiceArg: { paymentCid, entryCid, transferContext, ansRulesCid: decision.ansRulesCid as ContractId },
  });
  return { automation, key: `renew ${paymentCid} ${entryCid}`, commands: [command], enough: 1 };
}

/** Of the entries with that name the one that expires last. */
function findLatestEntry(
  facts: LedgerFacts,
  key: bigint,
  name: string,
): FoundContract<typeof AnsEntry> | null {
  let latest: FoundContract<typeof AnsEntry> | null = null;
  for (const entry of facts.list(AnsEntry, key, ENTRIES_OF_NAME)) {
    if (entry.payload.name !== name) continue;
    if (latest === null || entry.payload.expiresAt > latest.payload.expiresAt) latest = entry;
  }
  return latest;
}
