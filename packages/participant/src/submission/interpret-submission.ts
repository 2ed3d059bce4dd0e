/**
 * Interprets a submission here before it is sent, on the participant's own contracts and the disclosed ones, so that a
 * failure is answered at once. The engine is synchronous and the store is not: contracts that the arguments name are
 * fetched first, and the engine runs again after each contract it turns out to lack.
 */
import {
  type Contract,
  type ContractId,
  type Engine,
  type LedgerError,
  ledgerError,
  type Time,
} from "@callsign/ledger";
import { MAX_INTERPRETATION_RUNS, MAX_PREFETCHED_CONTRACTS } from "../limits/limits.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { CommandSubmission } from "./read-submission.ts";

const CONTRACT_ID = /"(00[0-9a-f]{136})"/g;

interface SubmissionInterpretation {
  readonly submission: CommandSubmission;
  readonly seed: string;
  readonly now: Time;
  readonly minLedgerTime: Time | null;
}

/** Returns null if the submission may be sent. */
export async function interpretSubmission(
  { engine, ledger }: { readonly engine: Engine; readonly ledger: LedgerStore },
  interpretation: SubmissionInterpretation,
): Promise<{ readonly error: LedgerError; readonly defect: Error | null } | null> {
  const { submission } = interpretation;
  const known = new Map<string, Contract | undefined>();
  const fetch = async (contractIds: ReadonlySet<string>) => {
    const found = await ledger.findContracts([...contractIds]);
    for (const contractId of contractIds) {
      const stored = found.get(contractId);
      const disclosed = submission.disclosed.find(({ contract }) => contract.contractId === contractId);
      // A contract that is archived here stays archived, even if a blob discloses it.
      const active = stored?.archived === null ? stored.contract : undefined;
      known.set(contractId, stored === undefined ? disclosed?.contract : active);
    }
  };
  await fetch(listNamed(submission));
  for (let run = 0; run < MAX_INTERPRETATION_RUNS; run++) {
    const lacking = new Set<ContractId>();
    const outcome = interpret(engine, interpretation, (contractId) => {
      if (!known.has(contractId)) lacking.add(contractId);
      return known.get(contractId);
    });
    if (lacking.size === 0) {
      return outcome.kind === "transaction" ? null : { error: outcome.error, defect: outcome.defect };
    }
    await fetch(lacking);
  }
  const cause = `The submission uses contracts in more than ${MAX_INTERPRETATION_RUNS} steps: split it`;
  return { error: ledgerError("INTERPRETATION_TIME_EXCEEDED", cause), defect: null };
}

function interpret(
  engine: Engine,
  { submission, seed, now, minLedgerTime }: SubmissionInterpretation,
  findContract: (contractId: ContractId) => Contract | undefined,
) {
  return engine.interpret({
    commands: submission.commands,
    actAs: submission.actAs,
    readAs: submission.readAs,
    disclosed: submission.disclosed.map(({ contract, blobHash }) => ({
      contractId: contract.contractId,
      blobHash,
    })),
    seed,
    now,
    timeBounds: { earliest: minLedgerTime, latest: null },
    findContract,
    stage: "submission",
  });
}

function listNamed({ commands, disclosed }: CommandSubmission): ReadonlySet<string> {
  const named = new Set<string>(disclosed.map(({ contract }) => contract.contractId));
  for (const [, contractId = ""] of JSON.stringify(commands).matchAll(CONTRACT_ID)) {
    if (named.size >= MAX_PREFETCHED_CONTRACTS) break;
    named.add(contractId);
  }
  return named;
}
