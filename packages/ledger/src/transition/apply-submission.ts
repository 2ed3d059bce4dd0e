/**
 * A submission at commit: who may, is it a duplicate, what does it do. Its traffic has been paid by then, and
 * stays paid if it is rejected: it has used the synchronizer as well.
 */
import type { Engine } from "../engine/interpret.ts";
import { informees } from "../engine/projection.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Time } from "../values/time.ts";
import { commandKey, findDuplicate } from "./deduplication.ts";
import type { Submit } from "./entry-content.ts";
import type { Change, LedgerView, Network, TrafficAccount } from "./ledger-view.ts";
import { effectsOf, rejected, type Verdict } from "./outcome.ts";
import { svSetEffects } from "./sv-set.ts";
import { checkSubmitters, findUnknownParty } from "./topology.ts";
import { trafficEffects } from "./traffic.ts";

export function applySubmission(given: {
  readonly engine: Engine;
  readonly view: LedgerView;
  readonly network: Network;
  readonly submit: Submit;
  readonly seed: string;
  readonly now: Time;
  /** The submitter's account, as already charged. */
  readonly charged: TrafficAccount | null;
}): Verdict {
  const { engine, view, network, submit, seed, now } = given;
  const key = commandKey(submit);
  const refusal = checkSubmitters(view, network, submit) ?? findDuplicate(view, submit, key, now);
  if (refusal !== null) return rejected(refusal);
  const outcome = engine.interpret({
    commands: submit.commands,
    actAs: submit.actAs,
    readAs: submit.readAs,
    disclosed: submit.disclosed,
    seed,
    now,
    protocolVersion: network.protocolVersion,
    timeBounds: { earliest: submit.minLedgerTime, latest: null },
    findContract: (contractId) => view.findContract(contractId),
    stage: "commit",
  });
  if (outcome.kind === "failure") {
    return { kind: "rejected", error: outcome.error, defect: outcome.defect, changes: [] };
  }
  const { transaction } = outcome;
  const unknown = findUnknownParty(view, listInformees(transaction));
  if (unknown !== null) return rejected(unknown);
  const effects = effectsOf(transaction);
  const command = { submissionId: submit.submissionId, recordTime: now };
  const traffic = trafficEffects({ ...given, effects });
  const svs = svSetEffects({ view, network: networkAfter(traffic, network), effects, now });
  const changes: Change[] = [...traffic, ...svs, { kind: "command", key, command }];
  return { kind: "accepted", transaction, effects, changes };
}

function networkAfter(changes: readonly Change[], network: Network): Network {
  const last = changes.findLast(({ kind }) => kind === "network");
  return last?.kind === "network" ? last.network : network;
}

function listInformees({ nodes }: Transaction): ReadonlySet<PartyId> {
  const parties = new Set<PartyId>();
  for (const node of nodes) for (const party of informees(node)) parties.add(party);
  return parties;
}
