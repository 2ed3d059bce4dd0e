/**
 * What the operations of the SV app work with. The stations of an onboarding:
 * `prepare-onboarding.ts` makes a secret, or `expected-onboardings.ts` takes one from configuration; `keepSecrets` puts
 * it on the ledger, and `app-index.ts` notes what becomes of it, in `onboarding-rows.ts`. A validator that starts
 * without a license shows its secret (`validator/onboarding/obtain-license.ts`); `onboard-validator.ts` uses it up and
 * makes the license, in one transaction. What nobody uses in time `expire-onboardings.ts` throws away.
 */
import { spliceError, unexpectedError } from "@callsign/api";
import {
  addDuration,
  type Command,
  createCommand,
  DsoRules,
  type LedgerError,
  type PartyId,
  type Time,
  ValidatorOnboarding,
} from "@callsign/ledger";
import { type Log, Refusal } from "@callsign/node";
import type { CurrentContract, ScanIndex } from "@callsign/scan";
import { type Replica, SequencerOverloaded } from "@callsign/synchronizer";
import type { OwnEntries } from "../own-entries.ts";
import type { AppIndex } from "./app-index.ts";
import { formatStoredSecret, type OnboardingSecret } from "./onboarding-secret.ts";

export interface SvApp {
  readonly party: PartyId;
  readonly replica: Replica;
  readonly index: AppIndex;
  readonly scan: ScanIndex;
  readonly entries: OwnEntries;
  /** What an entry would take effect at, were it appended now. */
  readonly now: () => Time;
  /** Resolves once everything is applied that the log had. */
  readonly catchUp: () => Promise<void>;
  readonly log: Log;
}

/** Whatever its source, a secret lives no longer. */
export const SECRET_SECONDS = 172_800;

export function getDsoRules({ scan }: SvApp): CurrentContract<typeof DsoRules> {
  const rules = scan.contracts.find(DsoRules);
  if (rules === undefined) throw new Refusal(unexpectedError());
  return rules;
}

/** The ledger's objection, if it has one; a refusal where it cannot be asked. */
export async function actAsSv(
  { entries, log }: SvApp,
  commands: readonly Command[],
): Promise<LedgerError | null> {
  try {
    return await entries.act(commands);
  } catch (error) {
    log.warn({ error: String(error) }, "an entry of the SV app was not heard of");
    throw unheard(error);
  }
}

function unheard(error: unknown): Refusal {
  const reason =
    error instanceof SequencerOverloaded
      ? "The SV's sequencer is busy: try again in a second"
      : "The network has not answered: whether it took effect is not known. Send it again.";
  return new Refusal(spliceError(503, reason));
}

/** How often a contract may be changed by others before a command on it arrives. */
const MAX_RACES = 20;

/**
 * Does what the operator asks for, on contracts that other SVs change as well: a command that came too late is made
 * anew from what there is now. What the ledger objects to otherwise is the request's fault.
 */
export async function actForOperator(app: SvApp, operation: string, decide: () => Command): Promise<void> {
  for (let race = 1; race <= MAX_RACES; race++) {
    const objection = await actAsSv(app, [decide()]);
    if (objection === null) return;
    const { code, cause } = objection;
    app.log.info({ operation, code, cause }, "the ledger does not take it");
    if (code === "LOCAL_VERDICT_INACTIVE_CONTRACTS") continue;
    throw new Refusal(spliceError(400, `The ledger does not take it: ${code}: ${cause}`));
  }
  throw new Refusal(spliceError(503, "Other SVs were faster each time: try again in a second"));
}

/** Puts secrets on the ledger, all or none; before that they are good for nothing. */
export async function keepSecrets(
  app: SvApp,
  secrets: readonly OnboardingSecret[],
  seconds: number,
): Promise<LedgerError | null> {
  const { party: sv } = app;
  const expiresAt = addDuration(app.now(), BigInt(seconds) * 1_000_000n);
  const commands = secrets.map((secret) =>
    createCommand(ValidatorOnboarding, { sv, candidateSecret: formatStoredSecret(secret), expiresAt }),
  );
  return actAsSv(app, commands);
}
