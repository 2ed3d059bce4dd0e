/** The ledger's verdict on the first entry of a log, before or after it is appended. */
import {
  createEngine,
  createTransition,
  type Envelope,
  FIRST_PREVIOUS_HASH,
  type LogEntry,
  type Network,
  networkCatalogue,
  ReplicaHalt,
  type Time,
  type Verdict,
} from "@callsign/ledger";
import { CannotStart, type Host, SignatureChecks, sha256 } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";

/** Throws `CannotStart` for a network that this program cannot follow. */
export function tryFounding(entry: LogEntry, { files }: Pick<Host, "files">): Verdict {
  const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
  const transition = createTransition({ engine, verify: new SignatureChecks().verify });
  const database = files.openDatabase(":memory:");
  try {
    return transition.apply(entry, new SqliteState(database)).verdict;
  } catch (error) {
    if (!(error instanceof ReplicaHalt)) throw error;
    throw new CannotStart(error.message, { cause: error });
  } finally {
    database.close();
  }
}

/** Throws `CannotStart` if the ledger does not found the network. */
export function requireFounded(verdict: Verdict): Network {
  if (verdict.kind === "rejected")
    throw new CannotStart(`the ledger refuses the founding: ${verdict.error.cause}`);
  const changes = verdict.kind === "accepted" ? verdict.changes : [];
  for (const change of changes) if (change.kind === "network") return change.network;
  throw new CannotStart("the log does not begin with a network");
}

/** The reason why the ledger would refuse the draft with all signatures; null if there is none. */
export function findDraftProblem(
  { content }: Pick<Envelope, "content">,
  host: Pick<Host, "files">,
): string | null {
  const unsigned = { content, signatures: [], sequence: 1, previousHash: FIRST_PREVIOUS_HASH };
  const verdict = tryFounding({ ...unsigned, stampedAt: 0n as Time }, host);
  // Signatures are looked at after everything else that the founders choose.
  if (verdict.kind !== "rejected" || verdict.error.code === "UNAUTHENTICATED") return null;
  return verdict.error.cause;
}
