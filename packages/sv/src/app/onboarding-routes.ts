/** Onboarding of validators: secrets that are made, used, and listed. */
import type { OnboardingRecord, OngoingOnboarding } from "@callsign/api";
import { formatInstant, ValidatorOnboarding } from "@callsign/ledger";
import { KeyedQueue, TokenBucket } from "@callsign/node";
import { memberRoutes } from "@callsign/scan";
import { MAX_ONGOING_SHOWN, SELF_SERVICE } from "../limits/limits.ts";
import { onboardValidator } from "./onboard-validator.ts";
import type { OnboardingRow } from "./onboarding-rows.ts";
import { formatSecret, parseSecret } from "./onboarding-secret.ts";
import { prepareForDevelopment, prepareOnboarding } from "./prepare-onboarding.ts";
import { getContract, showContract } from "./show-contract.ts";
import type { SvApp, SvHandlers } from "./sv-app.ts";
import { withdrawOnboarding } from "./withdraw-onboarding.ts";

const FINGERPRINT_LENGTH = 8;

export function onboardingRoutes(app: SvApp) {
  const turns = new KeyedQueue();
  const { elapsedMilliseconds } = app.host.clock;
  const bucket = new TokenBucket({ ...SELF_SERVICE, elapsedMilliseconds });
  const { onboardings } = app;
  const { listValidatorLicenses } = memberRoutes(() => app.scan);
  return {
    onboardValidator: ({ body }) => onboardValidator(app, turns, body),
    devNetOnboardValidatorPrepare: () => prepareForDevelopment(app, turns, bucket),
    prepareValidatorOnboarding: async ({ body }) => ({ secret: await prepareOnboarding(app, turns, body) }),
    withdrawValidatorOnboarding: ({ body }) => withdrawOnboarding(app, body.contract_id),
    listOngoingValidatorOnboardings: () => ({
      ongoing_validator_onboardings: onboardings
        .listOpen(MAX_ONGOING_SHOWN)
        .map((row) => showOngoing(app, row)),
    }),
    listValidatorOnboardings: ({ query }) => {
      const now = app.now();
      const rows = onboardings.list({ ...query, before: query.after, now });
      return {
        validator_onboardings: rows.map((row) => showRecord(row, now)),
        next_page_token: tokenOf(rows),
      };
    },
    listValidatorLicenses,
  } satisfies Partial<SvHandlers>;
}

function showOngoing(app: SvApp, { contractId }: OnboardingRow): OngoingOnboarding {
  const { payload } = getContract(app, contractId);
  const { candidateSecret } = ValidatorOnboarding.record.decode(JSON.parse(payload));
  const secret = parseSecret(candidateSecret, app.party);
  return {
    encoded_secret: formatSecret(secret),
    contract: showContract(app, ValidatorOnboarding, contractId),
    party_hint: secret.partyHint,
  };
}

/** A secret whose time is over has expired, also before its contract is archived. */
function showRecord(row: OnboardingRow, now: bigint): OnboardingRecord {
  return {
    contract_id: row.contractId,
    fingerprint: row.secretHash.slice(0, FINGERPRINT_LENGTH),
    state: row.state === "unused" && row.expiresAt <= now ? "expired" : row.state,
    party_hint: row.partyHint,
    made_at: formatInstant(row.madeAt),
    expires_at: formatInstant(row.expiresAt),
    used_at: row.usedAt === null ? null : formatInstant(row.usedAt),
    used_by: row.usedBy,
  };
}

/** On every page that is not empty, as in Splice: the last one is followed by an empty one. */
function tokenOf(rows: readonly { readonly created: bigint }[]): number | null {
  const last = rows.at(-1);
  return last === undefined ? null : Number(last.created);
}
