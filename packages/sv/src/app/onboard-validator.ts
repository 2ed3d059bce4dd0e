/**
 * Onboards a validator by a secret of this SV: one transaction uses the secret up and makes the license. The same party
 * may repeat it. The ledger decides at the entry's record time if a secret is still valid; of two parties that send one
 * secret at once, one wins.
 */
import type { OnboardRequest } from "@callsign/api";
import {
  type Command,
  DsoRules,
  exerciseCommand,
  formatInstant,
  type PartyId,
  parsePartyId,
  partyHint,
  ValidatorLicense,
  ValidatorOnboarding,
} from "@callsign/ledger";
import type { KeyedQueue } from "@callsign/node";
import { MAX_LICENSE_TEXT_LENGTH, MAX_ONBOARDING_ATTEMPTS, MAX_SECRET_LENGTH } from "../limits/limits.ts";
import type { OnboardingRow } from "./onboarding-rows.ts";
import { formatStoredSecret, hashSecret, type OnboardingSecret, parseSecret } from "./onboarding-secret.ts";
import { getDsoRules, type SvApp, submitAsSv } from "./sv-app.ts";
import { invalidRequest, SvAppError } from "./sv-app-error.ts";

const UNKNOWN_SECRET =
  "Unknown secret. Check that it is whole and of this SV, or ask the sponsor SV for another one.";

/** Only an operator ends one before its time. */
const WITHDRAWN_SECRET = "Secret was withdrawn by the sponsor SV. Ask the sponsor SV for another one.";

interface Candidate {
  readonly validator: PartyId;
  readonly given: OnboardingSecret;
  readonly version: string | null;
  readonly contactPoint: string | null;
}

export async function onboardValidator(
  app: SvApp,
  turns: KeyedQueue,
  request: OnboardRequest,
): Promise<undefined> {
  const candidate = readCandidate(app, request);
  // A party that was allocated a moment ago, and a secret just made, are seen.
  await app.catchUp();
  checkHosted(app, candidate.validator);
  // Two secrets of one party, sent at once, would make it a validator twice.
  await turns.run(candidate.validator, () => admit(app, candidate));
}

function readCandidate({ party }: SvApp, request: OnboardRequest): Candidate {
  const validator = parsePartyId(request.party_id);
  if (!validator.ok) throw invalidRequest(`party_id: ${validator.error}`);
  if (request.secret.length > MAX_SECRET_LENGTH)
    throw invalidRequest(
      `secret: it has ${request.secret.length} characters, and at most ${MAX_SECRET_LENGTH} are read`,
    );
  const hint = partyHint(validator.value);
  if (request.party_hint !== null && request.party_hint !== hint)
    throw invalidRequest(
      `party_hint is ${quote(request.party_hint)}, but party_id begins with ${quote(hint)}`,
    );
  for (const field of ["version", "contact_point"] as const) checkText(field, request[field]);
  const given = parseSecret(request.secret, party);
  if (given.sponsoringSv !== party) {
    throw invalidRequest(
      `Secret is for SV ${given.sponsoringSv.slice(0, 300)} but this SV is ${party}, validate your SV sponsor URL`,
    );
  }
  return {
    validator: validator.value,
    given,
    version: request.version,
    contactPoint: request.contact_point,
  };
}

function checkText(field: string, text: string | null): void {
  const length = [...(text ?? "")].length;
  if (length <= MAX_LICENSE_TEXT_LENGTH) return;
  throw invalidRequest(
    `${field} has ${length} characters, and at most ${MAX_LICENSE_TEXT_LENGTH} are allowed`,
  );
}

/** The license of a party that nobody hosts could never be used, but would have cost the secret. */
function checkHosted({ replica }: SvApp, validator: PartyId): void {
  if (replica.state.findHosting(validator) !== undefined) return;
  throw invalidRequest(
    `Party ${validator} is not hosted on this network: check that the validator's participant is connected to the ` +
      "network of this SV, and that the SV's URL is the right one",
  );
}

async function admit(app: SvApp, candidate: Candidate): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ONBOARDING_ATTEMPTS; attempt++) {
    const commands = decide(app, candidate);
    if (commands === null) return;
    const error = await submitAsSv(app, commands);
    const { validator } = candidate;
    if (error === null) {
      app.log.info({ validator }, "validator onboarded");
      return;
    }
    app.log.warn({ validator, code: error.code, cause: error.cause }, "onboarding of a validator failed");
  }
  throw new SvAppError(
    "ledger refused",
    "The ledger does not make this party a validator: the SV's log says why",
  );
}

/** The commands that onboard the candidate now; null if nothing is left to do. */
function decide(
  app: SvApp,
  { validator, given, version, contactPoint }: Candidate,
): readonly Command[] | null {
  const { index, onboardings, party: sponsor } = app;
  const row = onboardings.findBySecret(hashSecret(given));
  if (row === undefined) throw new SvAppError("secret refused", UNKNOWN_SECRET);
  const hasLicense = index.contracts.find(ValidatorLicense, validator) !== undefined;
  if (row.state === "used") {
    if (row.usedBy === validator && hasLicense) return null;
    throw new SvAppError("secret refused", usedSecret(row.usedBy === validator));
  }
  if (row.state === "expired" && row.expiresAt > app.now())
    throw new SvAppError("secret refused", WITHDRAWN_SECRET);
  if (row.state === "expired" || row.expiresAt <= app.now())
    throw new SvAppError("secret refused", expiredSecret(row));
  if (row.partyHint !== null && row.partyHint !== partyHint(validator)) {
    throw invalidRequest(
      `The onboarding secret is for a validator with the party hint ${quote(row.partyHint)}, and this party's is ` +
        `${quote(partyHint(validator))}: name the party so, or ask the sponsor SV for another secret`,
    );
  }
  if (hasLicense) return null;
  const { contractId } = getDsoRules(app).contract;
  const providedSecret = formatStoredSecret({ ...given, partyHint: row.partyHint });
  const license = { sponsor, validator, version, contactPoint };
  return [
    exerciseCommand(DsoRules, contractId, "DsoRules_OnboardValidator", license),
    exerciseCommand(ValidatorOnboarding, row.contractId, "ValidatorOnboarding_Match", {
      providedSecret,
      validator,
    }),
  ];
}

/** A validator that has lost its license must not be told that all is well: it would wait for the license forever. */
function usedSecret(isOwn: boolean): string {
  const how = isOwn
    ? "by this validator, whose license has been given back since"
    : "for a different validator";
  return `Secret has already been used ${how}. Ask the sponsor SV for another one.`;
}

function expiredSecret({ expiresAt }: OnboardingRow): string {
  return `Secret has expired, at ${formatInstant(expiresAt)}. Ask the sponsor SV for another one.`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
