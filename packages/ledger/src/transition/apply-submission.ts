/**
 * A submission at commit: who may, is it a duplicate, what does it do. Its traffic has been paid by then; a
 * rejected submission has used the synchronizer as well.
 */
import type { Engine } from "../engine/interpret.ts";
import { informees } from "../engine/projection.ts";
import { listArchived, listCreated, type Transaction } from "../engine/transaction.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import { commandKey, findDuplicate } from "./deduplication.ts";
import type { Submit } from "./entry-content.ts";
import type { Change, LedgerView, Network, TrafficAccount } from "./ledger-view.ts";
import { accepted, rejected, type Verdict } from "./outcome.ts";
import { checkSubmitters, findUnknownParty } from "./topology.ts";
import { trafficEffects } from "./traffic.ts";

export function applySubmission(given: {
  readonly engine: Engine;
  readonly view: LedgerView;
  readonly network: Network;
  readonly submit: Submit;
  readonly seed: string;
  readonly now: Time;
  readonly charged: TrafficAccount | null;
}): Verdict {
  const { engine, view, network, submit, seed, now, charged } = given;
  const paid: readonly Change[] = charged === null ? [] : [{ kind: "traffic", account: charged }];
  const key = commandKey(submit);
  const refusal = checkSubmitters(view, network, submit) ?? findDuplicate(view, submit, key, now);
  if (refusal !== null) return rejected(refusal, paid);
  const outcome = engine.interpret({
    commands: submit.commands,
    actAs: submit.actAs,
    readAs: submit.readAs,
    disclosed: submit.disclosed,
    seed,
    now,
    timeBounds: { earliest: submit.minLedgerTime, latest: null },
    findContract: (contractId) => view.findContract(contractId),
    stage: "commit",
  });
  if (outcome.kind === "failure") {
    return { kind: "rejected", error: outcome.error, defect: outcome.defect, changes: paid };
  }
  const { transaction } = outcome;
  const unknown = findUnknownParty(view, listInformees(transaction));
  if (unknown !== null) return rejected(unknown, paid);
  const command = { submissionId: submit.submissionId, recordTime: now };
  return accepted([...trafficChanges(given, transaction), { kind: "command", key, command }], transaction);
}

function trafficChanges(
  {
    view,
    network,
    now,
    charged,
  }: { view: LedgerView; network: Network; now: Time; charged: TrafficAccount | null },
  transaction: Transaction,
): readonly Change[] {
  const created = listCreated(transaction);
  const archived = listArchived(transaction).flatMap(({ contractId }) => view.findContract(contractId) ?? []);
  const effects = trafficEffects({ view, network, now, created, archived, charged });
  const changes: Change[] = [...effects.accounts.values()].map((account) => ({ kind: "traffic", account }));
  if (effects.network !== network) changes.push({ kind: "network", network: effects.network });
  return changes;
}

function listInformees({ nodes }: Transaction): ReadonlySet<PartyId> {
  const parties = new Set<PartyId>();
  for (const node of nodes) for (const party of informees(node)) parties.add(party);
  return parties;
}
