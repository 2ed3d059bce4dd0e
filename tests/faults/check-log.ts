/** The log after the faults, replayed with every signature checked, against the answers that clients got and the SVs' replicas. */
import { join } from "node:path";
import { openDatabase } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { AnsEntryContext } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { type Audit, auditLog } from "../localnet/audit-log.ts";
import type { Engine } from "./engine.ts";
import type { Outage } from "./fault-injector.ts";
import type { SvPlace } from "./fault-network.ts";
import type { SubmissionRecord } from "./submission-record.ts";

const REJECTION = "AnsEntryContext_RejectEntryInitialPayment";
const AUDIT_MILLISECONDS = 3_600_000;

export interface CheckedLog extends Audit {
  /** The number of times that each command of the load took effect. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Names of which a payment was given back, because its round had closed or the name was another's. */
  readonly givenBack: ReadonlySet<string>;
}

export async function readCheckedLog(engine: Engine, userId: string): Promise<CheckedLog> {
  const accepted = new Map<string, number>();
  const rejections: ContractId[] = [];
  const log = await engine.open();
  const audit = await auditLog(log, {
    milliseconds: AUDIT_MILLISECONDS,
    watch: (entry, { verdict }) => {
      const nodes = verdict.kind === "accepted" ? (verdict.transaction?.nodes ?? []) : [];
      for (const node of nodes)
        if (node.kind === "exercise" && node.choice === REJECTION) rejections.push(node.contractId);
      if (verdict.kind !== "accepted" || !entry.content.startsWith('["Submit",')) return;
      const content = decodeText(EntryContent, entry.content);
      if (content.tag !== "Submit" || content.value.userId !== userId) return;
      const { commandId } = content.value;
      accepted.set(commandId, (accepted.get(commandId) ?? 0) + 1);
    },
  }).finally(() => log.close());
  const givenBack = new Set(rejections.map((id) => audit.auditor.book.payload(AnsEntryContext, id).name));
  return { ...audit, accepted, givenBack };
}

/** Submissions that were acknowledged and are missing, that were refused and are there, or that are there twice. */
export function compareSubmissions(
  records: readonly SubmissionRecord[],
  accepted: CheckedLog["accepted"],
): readonly string[] {
  return records.flatMap(({ commandId, state }) => {
    const count = accepted.get(commandId) ?? 0;
    const isOnceAtMost = count <= 1;
    const isRight = {
      ...{ acknowledged: count === 1, refused: count === 0 },
      ...{ rejected: isOnceAtMost, unknown: isOnceAtMost },
    }[state];
    return isRight ? [] : [`"${commandId}" is ${state}, and the log has it ${count} times`];
  });
}

/** Submissions that were sent and acknowledged while no quorum of the engine's nodes was there. */
export function listImpossible(
  records: readonly SubmissionRecord[],
  outages: readonly Outage[],
): readonly string[] {
  return outages.flatMap(({ from, to }) =>
    records
      .filter(({ sentAt, acknowledgedAt }) => sentAt > from && acknowledgedAt !== null && acknowledgedAt < to)
      .map(({ commandId }) => `"${commandId}" was acknowledged while the engine had no quorum`),
  );
}

export interface ReplicaHead {
  readonly sv: string;
  readonly sequence: number;
  readonly digest: string;
}

/** Where the replicas of stopped SVs stand. */
export function readReplicaHeads(places: readonly SvPlace[]): readonly ReplicaHead[] {
  return places.map(({ name, dataFolder }) => {
    const database = openDatabase(join(dataFolder, name, "replica.db"));
    try {
      const { sequence, digest } = new SqliteState(database).head;
      return { sv: name, sequence, digest };
    } finally {
      database.close();
    }
  });
}

/** Replicas whose digest is not that of the replay at the same entry. */
export function compareReplicas(replicas: readonly ReplicaHead[], { auditor }: Audit): readonly string[] {
  const replayed = new Map(auditor.heads.map(({ sequence, digest }) => [sequence, digest]));
  return replicas.flatMap(({ sv, sequence, digest }) => {
    const expected = replayed.get(sequence);
    if (digest === expected) return [];
    return [
      `the replica of ${sv} has the digest ${digest} at entry ${sequence}, and the log gives ${expected}`,
    ];
  });
}
