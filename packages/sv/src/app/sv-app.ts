/**
 * The parts that operations of the SV app use. The steps of an onboarding: `prepare-onboarding.ts` makes a secret, or
 * `expected-onboardings.ts` takes one from configuration; `putSecrets` puts it on the ledger, and `app-index.ts` follows
 * it in `onboarding-rows.ts`. A validator that starts without a license sends its secret
 * (`validator/onboarding/obtain-license.ts`); `onboard-validator.ts` uses it up and makes the license, in one
 * transaction. The automation `expire-onboardings` archives secrets that nobody used in time.
 */
import type { svApi } from "@callsign/api";
import {
  addDuration,
  type Command,
  createCommand,
  DsoRules,
  type LedgerError,
  type PartyId,
  SECOND,
  type Time,
  ValidatorOnboarding,
} from "@callsign/ledger";
import type { Handlers, Host, Log } from "@callsign/node";
import type { CurrentContract, ScanIndex } from "@callsign/scan";
import { type Replica, SequencerOverloaded } from "@callsign/synchronizer";
import type { Agenda } from "../agenda/agenda.ts";
import { MAX_RACES } from "../limits/limits.ts";
import type { SvSubmitter } from "../submission/sv-submitter.ts";
import type { AppIndex } from "./app-index.ts";
import type { OnboardingRows } from "./onboarding-rows.ts";
import { formatStoredSecret, type OnboardingSecret } from "./onboarding-secret.ts";
import { invalidRequest, SvAppError } from "./sv-app-error.ts";

export interface SvApp {
  readonly party: PartyId;
  readonly replica: Replica;
  readonly index: AppIndex;
  /** The SV's own. */
  readonly onboardings: OnboardingRows;
  readonly scan: ScanIndex;
  readonly agenda: Agenda;
  readonly submitter: SvSubmitter;
  /** Aborted when the replica no longer follows the log. */
  readonly ended: AbortSignal;
  readonly host: Host;
  /** The record time of an entry that would be appended now. */
  readonly now: () => Time;
  /** Resolves once the replica has applied the log's present head. */
  readonly catchUp: () => Promise<void>;
  readonly log: Log;
}

/** A caller is the operator's user name; null where no token is needed. */
export type SvHandlers = Handlers<typeof svApi.endpoints, string | null>;

export function getDsoRules({ scan }: SvApp): CurrentContract<typeof DsoRules> {
  const rules = scan.contracts.find(DsoRules);
  if (rules === undefined) throw new Error("the network has no DsoRules");
  return rules;
}

/** The ledger's error, or null. Throws if there is no verdict. */
export async function submitAsSv(app: SvApp, commands: readonly Command[]): Promise<LedgerError | null> {
  const { submitter, ended, log } = app;
  try {
    return await submitter.submit(commands, { signal: ended });
  } catch (error) {
    log.warn({ error: String(error) }, "submission of the SV app got no verdict");
    throw noVerdict(error);
  }
}

function noVerdict(cause: unknown): SvAppError {
  const message =
    cause instanceof SequencerOverloaded
      ? "The SV's sequencer is busy: try again in a second"
      : "The network has not answered: whether it took effect is not known. Send it again.";
  return new SvAppError("try again", message, { cause });
}

/**
 * Submits an operator's command on contracts that other SVs change as well: after a lost race the command is decided
 * anew from the present contracts. Any other error of the ledger is the request's fault.
 */
export async function submitForOperator(app: SvApp, operation: string, decide: () => Command): Promise<void> {
  for (let race = 1; race <= MAX_RACES; race++) {
    const error = await submitAsSv(app, [decide()]);
    if (error === null) return;
    const { code, cause } = error;
    app.log.info({ operation, code, cause }, "the ledger refused an operator's request");
    if (code === "LOCAL_VERDICT_INACTIVE_CONTRACTS") continue;
    throw invalidRequest(`The ledger does not take it: ${code}: ${cause}`);
  }
  throw new SvAppError("try again", "Other SVs were faster each time: try again in a second");
}

/** Puts secrets on the ledger, all or none. */
export function putSecrets(
  app: SvApp,
  secrets: readonly OnboardingSecret[],
  seconds: number,
): Promise<LedgerError | null> {
  const { party: sv } = app;
  const expiresAt = addDuration(app.now(), BigInt(seconds) * SECOND);
  const commands = secrets.map((secret) =>
    createCommand(ValidatorOnboarding, { sv, candidateSecret: formatStoredSecret(secret), expiresAt }),
  );
  return submitAsSv(app, commands);
}
