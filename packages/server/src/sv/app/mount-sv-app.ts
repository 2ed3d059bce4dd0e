/**
 * The SV app's API. Before the SV is ready it refuses everything but questions after its health with 503, where Splice
 * answers 404: a validator that comes too early is to try again.
 */
import {
  type OnboardingRecord,
  type OngoingOnboarding,
  spliceError,
  svApi,
  type WireContract,
} from "@callsign/api";
import { type ContractId, formatInstant, ValidatorLicense, ValidatorOnboarding } from "@callsign/ledger";
import { type HealthParts, health, isHealthCall } from "../../http/health.ts";
import { type MountedApi, mountApi } from "../../http/mount-api.ts";
import { Refusal } from "../../http/refusal.ts";
import { networkRoutes } from "../../scan/routes/network.ts";
import { InTurn } from "./in-turn.ts";
import { onboardValidator } from "./onboard-validator.ts";
import type { OnboardingRow } from "./onboarding-rows.ts";
import { formatSecret, parseSecret } from "./onboarding-secret.ts";
import { type OperatorParts, operatorRules } from "./operator-rules.ts";
import { prepareOnboarding, SelfService } from "./prepare-onboarding.ts";
import { showContract } from "./show-contract.ts";
import type { SvApp } from "./sv-app.ts";

export interface SvAppMountParts {
  readonly app: SvApp;
  /** What the network calls the operator's user. */
  readonly user: string;
  readonly health: HealthParts;
  readonly operators: OperatorParts;
}

/** More than there can be open ones. */
const MAX_ONGOING = 2000;
const FINGERPRINT_LENGTH = 8;

export function mountSvApp({ app, user, health: parts, operators }: SvAppMountParts): MountedApi {
  const turns = new InTurn();
  const selfService = new SelfService();
  const { getDsoInfo } = networkRoutes({ index: () => app.scan, sv: { user, party: app.party }, scans: [] });
  const mounted = mountApi(svApi, {
    ...operatorRules(operators),
    handlers: {
      ...health(parts),
      getDsoInfo: (request, call) => getDsoInfo(request, { ...call, caller: null }),
      isAuthorized: () => undefined,
      onboardValidator: async ({ body }) => {
        await onboardValidator(app, turns, body);
        return undefined;
      },
      devNetOnboardValidatorPrepare: () => selfService.prepare(app, turns),
      prepareValidatorOnboarding: async ({ body }) => ({ secret: await prepareOnboarding(app, turns, body) }),
      listOngoingValidatorOnboardings: () => ({
        ongoing_validator_onboardings: app.index.onboardings
          .listOpen(MAX_ONGOING)
          .map((row) => showOngoing(app, row)),
      }),
      listValidatorOnboardings: ({ query }) => {
        const rows = app.index.onboardings.list({ ...query, before: query.after });
        const { recordTime } = app.replica.state.head;
        return {
          validator_onboardings: rows.map((row) => showRecord(row, recordTime)),
          next_page_token: tokenOf(rows),
        };
      },
      listValidatorLicenses: ({ query: { after, limit } }) => {
        const rows = app.index.licenses.list(after, limit);
        return {
          validator_licenses: rows.map(({ contractId }) => showLicense(app, contractId)),
          next_page_token: tokenOf(rows),
        };
      },
    },
  });
  const handle: MountedApi["handle"] = (endpoint, request, call) => {
    const missing = isHealthCall(endpoint) ? null : parts.missing();
    if (missing === null) return mounted.handle(endpoint, request, call);
    throw new Refusal(spliceError(503, `The SV is not ready: ${missing}. Try again in a few seconds.`));
  };
  return { ...mounted, handle };
}

function showOngoing(app: SvApp, { contractId }: OnboardingRow): OngoingOnboarding {
  const contract = needContract(app, contractId);
  const { candidateSecret } = ValidatorOnboarding.record.decode(JSON.parse(contract.payload));
  const secret = parseSecret(candidateSecret, app.party);
  return {
    encoded_secret: formatSecret(secret),
    contract: showContract(ValidatorOnboarding, contract),
    party_hint: secret.partyHint,
  };
}

/** One whose time is over has expired, also before its contract is thrown away. */
function showRecord(row: OnboardingRow, recordTime: bigint): OnboardingRecord {
  const isOver = row.state === "unused" && row.expiresAt <= recordTime;
  return {
    contract_id: row.contractId,
    fingerprint: row.secretHash.slice(0, FINGERPRINT_LENGTH),
    state: isOver ? "expired" : row.state,
    party_hint: row.partyHint,
    made_at: formatInstant(row.madeAt),
    expires_at: formatInstant(row.expiresAt),
    used_at: row.usedAt === null ? null : formatInstant(row.usedAt),
    used_by: row.usedBy,
  };
}

function showLicense(app: SvApp, contractId: ContractId): WireContract {
  return showContract(ValidatorLicense, needContract(app, contractId));
}

function needContract({ replica }: SvApp, contractId: ContractId) {
  const contract = replica.state.findContract(contractId);
  if (contract === undefined) throw new Error(`${contractId} is in the rows, but not in the replica`);
  return contract;
}

/** On every page that is not empty, as in Splice: the last one is followed by an empty one. */
function tokenOf(rows: readonly { readonly created: bigint }[]): number | null {
  const last = rows.at(-1);
  return last === undefined ? null : Number(last.created);
}
