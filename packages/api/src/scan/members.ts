/** The network's members: the traffic they may send, the parties they host, the licences of their validators. */
import { parsePartyId } from "@callsign/ledger";
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { limitParameter, MAX_PAGE_SIZE } from "../splice/page-size.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";

const MEMBER_KINDS = ["PAR", "MED", "SEQ"];

/** An id of a path, refused with Splice's words. */
function decodedParameter(what: string, findProblem: (given: string) => string | null) {
  return z.string().superRefine((given, context) => {
    const problem = findProblem(given);
    if (problem === null) return;
    context.addIssue({ code: "custom", message: `Could not decode ${what} ID: ${problem}` });
  });
}

function findIdProblem(given: string): string | null {
  const id = parsePartyId(given);
  return id.ok ? null : `${JSON.stringify(given)} does not read <identifier>::<fingerprint>`;
}

function findMemberProblem(given: string): string | null {
  const [kind, ...rest] = given.split("::");
  if (kind !== undefined && MEMBER_KINDS.includes(kind)) return findIdProblem(rest.join("::"));
  return `${JSON.stringify(given)} does not start with one of ${MEMBER_KINDS.map((each) => `${each}::`).join(", ")}`;
}

const domain = decodedParameter("domain", findIdProblem);
const synchronizer = decodedParameter("synchronizer", findIdProblem);
const party = decodedParameter("party", findIdProblem);

/** In bytes, beyond the free allowance. What was bought counts at once, so limit and target are the same. */
const MemberTrafficStatus = z
  .object({
    traffic_status: z.object({
      actual: z.object({ total_consumed: int64, total_limit: int64 }),
      target: z.object({ total_purchased: int64 }),
    }),
  })
  .meta({ id: "GetMemberTrafficStatusResponse" });

const PartyToParticipant = z
  .object({ participant_id: z.string() })
  .meta({ id: "GetPartyToParticipantResponse" });

const PartyToParticipants = z
  .object({ participant_ids: z.array(z.string()) })
  .meta({ id: "GetPartyToParticipantResponseV1" });

const ValidatorLicenses = z
  .object({ validator_licenses: z.array(Contract), next_page_token: orNull(int64) })
  .meta({ id: "ListValidatorLicensesResponse" });

export const scanMembers = defineEndpoints({ tags: ["external", "scan"], auth: "none" })({
  listValidatorLicenses: {
    method: "GET",
    path: "/v0/admin/validator/licenses",
    summary: "The licences of validators, newest first",
    description:
      "Every page that has any licence has a token; the next page, which `after` asks for with it, may be empty.",
    query: z.object({ after: orNull(int64Parameter), limit: limitParameter.default(MAX_PAGE_SIZE) }),
    success: json(ValidatorLicenses),
    errors: [400, 429, 503],
  },
  getMemberTrafficStatus: {
    method: "GET",
    path: "/v0/domains/{domain_id}/members/{member_id}/traffic-status",
    summary: "The traffic that a member bought, and how much of it is used up",
    params: z.object({ domain_id: domain, member_id: decodedParameter("member", findMemberProblem) }),
    success: json(MemberTrafficStatus),
    errors: [400, 404, 429, 503],
  },
  getPartyToParticipant: {
    method: "GET",
    path: "/v0/domains/{domain_id}/parties/{party_id}/participant-id",
    summary: "The participant that hosts a party",
    params: z.object({ domain_id: domain, party_id: party }),
    success: json(PartyToParticipant),
    errors: [400, 404, 429, 500, 503],
  },
  getPartyToParticipantV1: {
    method: "GET",
    path: "/v1/domains/{domain_id}/parties/{party_id}/participant-id",
    summary: "The participants that host a party",
    params: z.object({ domain_id: synchronizer, party_id: party }),
    success: json(PartyToParticipants),
    errors: [400, 404, 429, 503],
  },
});
