/** Vote requests of the SVs, and votes. An automation closes votes whose end is certain. */
import type { CastVoteRequest, CreateVoteRequest } from "@callsign/api";
import {
  ActionRequiringConfirmation,
  type ContractId,
  DecodeError,
  DsoRules,
  exerciseCommand,
  formatInstant,
  type JsonValue,
  parseContractId,
  parseTime,
  RelTime,
  scanJson,
  type Time,
  VoteRequest,
} from "@callsign/ledger";
import { KeyedQueue } from "@callsign/node";
import { voteResultRoutes } from "@callsign/scan";
import { MAX_SHOWN } from "../limits/limits.ts";
import { getContract, showContract } from "./show-contract.ts";
import { getDsoRules, type SvApp, type SvHandlers, submitForOperator } from "./sv-app.ts";
import { invalidRequest, SvAppError } from "./sv-app-error.ts";
import { checkVoteCooldown } from "./vote-cooldown.ts";

export function voteRoutes(app: SvApp) {
  const turns = new KeyedQueue();
  const show = (contractId: ContractId) => showContract(app, VoteRequest, contractId);
  return {
    listDsoRulesVoteRequests: () => ({
      dso_rules_vote_requests: app.index.contracts.list(VoteRequest, MAX_SHOWN).map(show),
    }),
    ...voteResultRoutes(() => app.scan),
    lookupDsoRulesVoteRequest: ({ params }) => ({
      dso_rules_vote_request: show(getRequest(app, params.vote_request_contract_id)),
    }),
    listVoteRequestsByTrackingCid: ({ body }) => ({
      vote_requests: [
        ...new Set(body.vote_request_contract_ids.flatMap((id) => findRequest(app, id) ?? [])),
      ].map(show),
    }),
    // Two that ask for the same at once must see each other.
    createVoteRequest: ({ body }) => turns.run("request", () => requestVote(app, body)),
    castVote: ({ body }) => castVote(app, body),
  } satisfies Partial<SvHandlers>;
}

/** As it is now. */
function findRequest(app: SvApp, id: string): ContractId | undefined {
  return app.index.contracts.find(VoteRequest, firstIdOf(app, id));
}

/** Every vote gives a request another id. What it was first made under stays, and may be given as well. */
function firstIdOf({ replica }: SvApp, text: string): string {
  const id = parseContractId(text);
  const contract = id.ok ? replica.state.findContract(id.value) : undefined;
  if (contract === undefined || contract.templateId !== VoteRequest.id) return text;
  return VoteRequest.record.decode(JSON.parse(contract.payload)).trackingCid ?? text;
}

function getRequest(app: SvApp, text: string): ContractId {
  const found = findRequest(app, text);
  if (found !== undefined) return found;
  throw new SvAppError("not found", `No vote request found for contract id: ${text.slice(0, 200)}`);
}

async function requestVote(app: SvApp, request: CreateVoteRequest): Promise<undefined> {
  if (request.requester !== app.party) {
    throw malformed(
      "requester",
      `it is ${request.requester.slice(0, 300)}, and must be this SV: ${app.party}`,
    );
  }
  const reason = { url: request.url, body: request.description };
  checkText(app, "url", reason.url);
  checkText(app, "description", reason.body);
  const action = decode("action", ActionRequiringConfirmation, request.action);
  const voteRequestTimeout = decode("expiration", RelTime, request.expiration);
  checkTimeToVote(voteRequestTimeout);
  const targetEffectiveAt = readTime(request.effectiveTime);
  checkEffective(app, targetEffectiveAt, voteRequestTimeout);
  const argument = { requester: app.party, action, reason, voteRequestTimeout, targetEffectiveAt };
  await submitForOperator(app, "createVoteRequest", () => {
    checkNotAsked(app, getOwnName(app), ActionRequiringConfirmation.encode(action));
    return exerciseCommand(DsoRules, getDsoRules(app).contract.contractId, "DsoRules_RequestVote", argument);
  });
}

function checkTimeToVote({ microseconds }: RelTime): void {
  if (microseconds > 0n) return;
  throw malformed(
    "expiration",
    `it is ${microseconds} microseconds, and must be more than 0, so that SVs can vote`,
  );
}

/** Nothing takes effect before the vote on it has ended. */
function checkEffective({ now }: SvApp, effectiveAt: Time | null, { microseconds }: RelTime): void {
  if (effectiveAt === null || effectiveAt - now() >= microseconds) return;
  throw malformed(
    "effectiveTime",
    `it is ${formatInstant(effectiveAt)}, and must not be before votes have been taken for ${microseconds} ` +
      `microseconds; on the network it is ${formatInstant(now())}`,
  );
}

/** The ledger would refuse it without its length. It counts code points. */
function checkText(app: SvApp, field: string, text: string): void {
  const { maxTextLength } = getDsoRules(app).payload.config;
  const length = [...text].length;
  if (length <= maxTextLength) return;
  throw malformed(field, `it has ${length} characters, and at most ${maxTextLength} are allowed`);
}

/** As the DSO knows this SV. */
function getOwnName(app: SvApp): string {
  const member = getDsoRules(app).payload.svs.find(([sv]) => sv === app.party);
  if (member !== undefined) return member[1].name;
  throw invalidRequest(
    `This SV, ${app.party}, is not a member of the DSO: only members ask for votes and vote`,
  );
}

/** The same action is voted on once at a time, as far as this SV asks for it. */
function checkNotAsked(app: SvApp, own: string, action: string): void {
  for (const contractId of app.index.contracts.list(VoteRequest, MAX_SHOWN)) {
    const asked = VoteRequest.record.decode(JSON.parse(getContract(app, contractId).payload));
    if (asked.requester === own && ActionRequiringConfirmation.encode(asked.action) === action)
      throw invalidRequest(`This vote request has already been created ${contractId}.`);
  }
}

async function castVote(app: SvApp, request: CastVoteRequest): Promise<undefined> {
  const reason = { url: request.reason_url, body: request.reason_description };
  checkText(app, "reason_url", reason.url);
  checkText(app, "reason_description", reason.body);
  const vote = { sv: app.party, accept: request.is_accepted, reason, optCastAt: null };
  const first = firstIdOf(app, request.vote_request_contract_id);
  await submitForOperator(app, "castVote", () => {
    const requestCid = getRequest(app, first);
    checkMayVote(app, requestCid);
    const { contractId } = getDsoRules(app).contract;
    return exerciseCommand(DsoRules, contractId, "DsoRules_CastVote", { requestCid, vote });
  });
}

function checkMayVote(app: SvApp, requestCid: ContractId): void {
  const own = getOwnName(app);
  const { votes } = VoteRequest.record.decode(JSON.parse(getContract(app, requestCid).payload));
  const votedAt = votes.find(([voter]) => voter === own)?.[1].optCastAt ?? null;
  if (votedAt !== null) checkVoteCooldown(app, votedAt);
}

interface Decodable<T> {
  readonly fromJson: (json: JsonValue, dialect: typeof scanJson) => T;
}

function decode<T>(field: string, type: Decodable<T>, json: JsonValue): T {
  try {
    return type.fromJson(json, scanJson);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw malformed(field, error.message);
  }
}

function readTime(text: string | null): Time | null {
  if (text === null) return null;
  const time = parseTime(text);
  if (!time.ok) throw malformed("effectiveTime", time.error);
  return time.value;
}

function malformed(field: string, reason: string): SvAppError {
  return invalidRequest(`${field}: ${reason}`);
}
