/** What SVs decide together: asking for a vote, and voting. An automation closes votes whose end is certain. */
import { type CastVoteRequest, type CreateVoteRequest, spliceError, type svApi } from "@callsign/api";
import {
  ActionRequiringConfirmation,
  type ContractId,
  DecodeError,
  DsoRules,
  exerciseCommand,
  type JsonValue,
  parseContractId,
  parseTime,
  RelTime,
  scanJson,
  type Time,
  VoteRequest,
} from "@callsign/ledger";
import { Reply } from "../../http/answer.ts";
import type { Handlers } from "../../http/mount-api.ts";
import { Refusal } from "../../http/refusal.ts";
import { needContract, showContract } from "./show-contract.ts";
import { actAsSv, getDsoRules, refuseObjection, type SvApp } from "./sv-app.ts";

type VoteHandlers = Pick<
  Handlers<typeof svApi.endpoints, string | null>,
  | "listDsoRulesVoteRequests"
  | "lookupDsoRulesVoteRequest"
  | "listVoteRequestsByTrackingCid"
  | "createVoteRequest"
  | "castVote"
>;

const MAX_SHOWN = 1000;

export function voteRoutes(app: SvApp): VoteHandlers {
  const show = (contractId: ContractId) => showContract(app, VoteRequest, contractId);
  return {
    listDsoRulesVoteRequests: () => ({
      dso_rules_vote_requests: app.index.contracts.list(VoteRequest, MAX_SHOWN).map(show),
    }),
    lookupDsoRulesVoteRequest: ({ params }) => ({
      dso_rules_vote_request: show(getRequest(app, params.vote_request_contract_id)),
    }),
    listVoteRequestsByTrackingCid: ({ body }) => ({
      vote_requests: [...new Set(body.vote_request_contract_ids)]
        .flatMap((id) => findRequest(app, id) ?? [])
        .map(show),
    }),
    createVoteRequest: async ({ body }) => {
      await requestVote(app, body);
      return undefined;
    },
    castVote: async ({ body }) => {
      await castVote(app, body);
      return new Reply<undefined>(undefined, { status: 201 });
    },
  };
}

/** By the id it was first made under, which it keeps, or by the one it has now. */
function findRequest({ index, replica }: SvApp, text: string): ContractId | undefined {
  const first = index.contracts.find(VoteRequest, text);
  if (first !== undefined) return first;
  const id = parseContractId(text);
  const contract = id.ok ? replica.state.findContract(id.value) : undefined;
  if (contract === undefined || contract.templateId !== VoteRequest.id) return undefined;
  const { trackingCid } = VoteRequest.record.decode(JSON.parse(contract.payload));
  return index.contracts.find(VoteRequest, trackingCid ?? contract.contractId);
}

function getRequest(app: SvApp, text: string): ContractId {
  const found = findRequest(app, text);
  if (found !== undefined) return found;
  throw new Refusal(spliceError(404, `No vote request found for contract id: ${text.slice(0, 200)}`));
}

async function requestVote(app: SvApp, request: CreateVoteRequest): Promise<void> {
  if (request.requester !== app.party) {
    throw new Refusal(
      spliceError(400, `requester is ${request.requester.slice(0, 300)}, and must be this SV: ${app.party}`),
    );
  }
  const action = decode("action", ActionRequiringConfirmation, request.action);
  const voteRequestTimeout = decode("expiration", RelTime, request.expiration);
  checkNotAsked(app, ActionRequiringConfirmation.encode(action));
  const argument = {
    requester: app.party,
    action,
    reason: { url: request.url, body: request.description },
    voteRequestTimeout,
    targetEffectiveAt: readTime(request.effectiveTime),
  };
  const { contractId } = getDsoRules(app).contract;
  const command = exerciseCommand(DsoRules, contractId, "DsoRules_RequestVote", argument);
  const objection = await actAsSv(app, [command]);
  if (objection !== null) throw refuseObjection(app, "createVoteRequest", objection);
}

/** The same action is voted on once at a time, as far as this SV asks for it. */
function checkNotAsked(app: SvApp, action: string): void {
  const own = getDsoRules(app).payload.svs.find(([sv]) => sv === app.party)?.[1].name;
  for (const contractId of app.index.contracts.list(VoteRequest, MAX_SHOWN)) {
    const asked = VoteRequest.record.decode(JSON.parse(needContract(app, contractId).payload));
    if (asked.requester === own && ActionRequiringConfirmation.encode(asked.action) === action)
      throw new Refusal(spliceError(400, `This vote request has already been created ${contractId}.`));
  }
}

async function castVote(app: SvApp, request: CastVoteRequest): Promise<void> {
  const requestCid = getRequest(app, request.vote_request_contract_id);
  const vote = {
    sv: app.party,
    accept: request.is_accepted,
    reason: { url: request.reason_url, body: request.reason_description },
    optCastAt: null,
  };
  const { contractId } = getDsoRules(app).contract;
  const command = exerciseCommand(DsoRules, contractId, "DsoRules_CastVote", { requestCid, vote });
  const objection = await actAsSv(app, [command]);
  if (objection !== null) throw refuseObjection(app, "castVote", objection);
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

function malformed(field: string, reason: string): Refusal {
  return new Refusal(spliceError(400, `${field}: ${reason}`));
}
