/**
 * Onboarding of SVs, with this SV as the sponsor: it checks the candidate's token and puts the request on the ledger. The
 * automation `confirm-sv-onboardings` of a quorum of the SVs does the rest.
 */
import type { SvOnboardingStatus } from "@callsign/api";
import {
  Confirmation,
  DsoRules,
  exerciseCommand,
  findParticipantMember,
  type PayloadOf,
  requiredConfirmations,
  SvOnboardingConfirmed,
  SvOnboardingRequest,
} from "@callsign/ledger";
import { KeyedQueue } from "@callsign/node";
import { MANY, MAX_SHOWN } from "../limits/limits.ts";
import { type ApprovedSv, approveCandidate } from "../onboarding/approve-candidate.ts";
import type { SvOnboardingToken } from "../onboarding/sv-onboarding-token.ts";
import { readSvToken } from "../onboarding/sv-onboarding-token.ts";
import { getContract } from "./show-contract.ts";
import { getDsoRules, type SvApp, type SvHandlers, submitForOperator } from "./sv-app.ts";
import { invalidRequest, SvAppError } from "./sv-app-error.ts";

export function svOnboardingRoutes(app: SvApp, approved: readonly ApprovedSv[]) {
  const turns = new KeyedQueue();
  return {
    // Two requests of one candidate at once must see each other.
    startSvOnboarding: ({ body }) => turns.run("start", () => startOnboarding(app, approved, body.token)),
    getSvOnboardingStatus: ({ params }) => findStatus(app, params.candidate_party_id_or_name),
  } satisfies Partial<SvHandlers>;
}

async function startOnboarding(
  app: SvApp,
  approved: readonly ApprovedSv[],
  text: string,
): Promise<undefined> {
  const read = readSvToken(text);
  if ("fault" in read) throw invalidRequest(`token: ${read.fault}`);
  // A party that was hosted a moment ago is seen.
  await app.catchUp();
  checkHosted(app, read);
  const { payload: rules } = getDsoRules(app);
  const candidate = approveCandidate({ token: text }, { approved, dso: rules.dso });
  if ("fault" in candidate) {
    app.log.warn(
      { candidate: read.name.slice(0, 200), reason: candidate.fault },
      "a candidate was not approved",
    );
    throw new SvAppError("secret refused", `This SV does not approve the candidate: ${candidate.fault}`);
  }
  const { name, party, participantId } = candidate.token;
  if (rules.offboardedSvs.some(([sv]) => sv === party))
    throw invalidRequest(`${party} was an SV before: a former SV comes back with a new identity`);
  const { contracts } = app.index;
  const isKnown = rules.svs.some(([sv]) => sv === party);
  const isAsked = [SvOnboardingRequest, SvOnboardingConfirmed].some((template) =>
    contracts.find(template, party),
  );
  if (isKnown || isAsked) return;
  await submitForOperator(app, "startSvOnboarding", () =>
    exerciseCommand(DsoRules, getDsoRules(app).contract.contractId, "DsoRules_StartSvOnboarding", {
      ...{ candidateName: name, candidateParty: party, candidateParticipantId: participantId },
      ...{ token: text, sponsor: app.party },
    }),
  );
  app.log.info({ candidate: name, party }, "onboarding of an SV requested");
}

function checkHosted({ replica }: SvApp, { party, participantId }: SvOnboardingToken): void {
  const member = findParticipantMember(participantId);
  const isHosted = member !== null && replica.state.findHosting(party)?.hosts.includes(member) === true;
  if (isHosted && replica.state.findMember(member) !== undefined) return;
  throw new SvAppError(
    "not yet",
    `Candidate party ${party} is not hosted by participant ${participantId.slice(0, 300)}: register it with the network, and try again`,
  );
}

const UNKNOWN: SvOnboardingStatus = {
  ...{ state: "unknown", name: null, contract_id: null },
  ...{ confirmed_by: null, required_num_confirmations: null },
};

function findStatus(app: SvApp, candidate: string): SvOnboardingStatus {
  const { contract, payload: rules } = getDsoRules(app);
  const isIt = (party: string, name: string) => party === candidate || name === candidate;
  const joined = rules.svs.find(([party, { name }]) => isIt(party, name));
  if (joined !== undefined)
    return { ...UNKNOWN, state: "completed", name: joined[1].name, contract_id: contract.contractId };
  const confirmed = find(app, SvOnboardingConfirmed, ({ svParty, svName }) => isIt(svParty, svName));
  if (confirmed !== undefined)
    return {
      ...UNKNOWN,
      state: "confirmed",
      name: confirmed.payload.svName,
      contract_id: confirmed.contractId,
    };
  const requested = find(app, SvOnboardingRequest, (request) =>
    isIt(request.candidateParty, request.candidateName),
  );
  if (requested === undefined) return UNKNOWN;
  const { candidateName: name, candidateParty: party } = requested.payload;
  return {
    state: "requested",
    ...{ name, contract_id: requested.contractId, confirmed_by: listConfirmers(app, party) },
    required_num_confirmations: requiredConfirmations(rules.svs.length),
  };
}

type Candidates = typeof SvOnboardingRequest | typeof SvOnboardingConfirmed;

function find<T extends Candidates>(app: SvApp, template: T, isIt: (payload: PayloadOf<T>) => boolean) {
  for (const contractId of app.index.contracts.list(template, MAX_SHOWN)) {
    const payload = template.record.decode(JSON.parse(getContract(app, contractId).payload)) as PayloadOf<T>;
    if (isIt(payload)) return { contractId, payload };
  }
  return undefined;
}

function listConfirmers(app: SvApp, party: string): string[] {
  const now = app.now();
  return app.agenda.rows.list(Confirmation, MANY).flatMap(({ contractId: id }) => {
    const { action, confirmer, expiresAt } = Confirmation.record.decode(
      JSON.parse(getContract(app, id).payload),
    );
    if (action.tag !== "ARC_DsoRules" || expiresAt <= now) return [];
    const { tag, value } = action.value.dsoAction;
    return tag === "SRARC_ConfirmSvOnboarding" && value.newSvParty === party ? [confirmer] : [];
  });
}
