/** The network's members: their licences, their traffic and their parties. */

import { type Rejection, spliceError } from "@callsign/api";
import {
  findParticipantMember,
  formatParticipantId,
  type LedgerView,
  type PartyId,
  type TrafficAccount,
  ValidatorLicense,
} from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { ScanIndex } from "../rows/scan-index.ts";
import { toWireContract } from "../wire/wire-contract.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

/** After every contract. */
const MAX_PLACE = 2n ** 63n - 1n;

export function memberRoutes(index: () => ScanIndex) {
  return {
    listValidatorLicenses: ({ query: { after, limit } }) => {
      const licenses = index().contracts.listNewest(ValidatorLicense, { before: after ?? MAX_PLACE, limit });
      const last = licenses.at(-1);
      return {
        validator_licenses: licenses.map(toWireContract),
        next_page_token: last === undefined ? null : Number(last.place),
      };
    },
    getMemberTrafficStatus: ({ params: { domain_id, member_id } }) => {
      const { state, network } = index();
      const isHere = network?.synchronizerId === domain_id;
      // Clients know members by participant id; other members do not exist here.
      const member = isHere ? findParticipantMember(member_id) : null;
      const traffic = member === null ? undefined : findTraffic(state, member);
      if (traffic === undefined) {
        throw new Refusal(spliceError(404, `No traffic state found for member ${member_id} on ${domain_id}`));
      }
      const [purchased, consumed] = [showBytes(traffic.purchased), showBytes(traffic.consumed)];
      return {
        traffic_status: {
          actual: { total_consumed: consumed, total_limit: purchased },
          target: { total_purchased: purchased },
        },
      };
    },
    getPartyToParticipant: ({ params: { domain_id, party_id } }) => {
      const hosts = listHosts(index(), domain_id, party_id);
      const [host] = hosts;
      if (host === undefined || hosts.length > 1) throw new Refusal(notOneHost(party_id, hosts.length));
      return { participant_id: formatParticipantId(host) };
    },
    getPartyToParticipantV1: ({ params: { domain_id, party_id } }) => {
      const hosts = listHosts(index(), domain_id, party_id);
      if (hosts.length === 0) throw new Refusal(spliceError(404, `Party not found: ${party_id}`));
      return { participant_ids: hosts.map(formatParticipantId) };
    },
  } satisfies ScanHandlers;
}

/** None on another synchronizer. */
function listHosts({ state, network }: ScanIndex, domain: string, party: string): readonly string[] {
  if (network?.synchronizerId !== domain) return [];
  return state.findHosting(party as PartyId)?.hosts ?? [];
}

/** Undefined for an unknown member. A member that never had to pay has bought and used nothing. */
function findTraffic(
  state: LedgerView,
  member: string,
): Pick<TrafficAccount, "purchased" | "consumed"> | undefined {
  const isKnown = state.findMember(member) !== undefined;
  return state.findTraffic(member) ?? (isKnown ? { purchased: 0n, consumed: 0n } : undefined);
}

/**
 * Traffic can be bought without limit where coin costs nothing. A balance beyond the largest exact JSON number, nine
 * petabytes, is shown as that number: a larger one would be inexact, and clients would refuse the answer.
 */
function showBytes(bytes: bigint): number {
  return Math.min(Number(bytes), Number.MAX_SAFE_INTEGER);
}

function notOneHost(party: string, hosts: number): Rejection {
  return hosts === 0
    ? spliceError(404, `No participant id found hosting party: ${party}`)
    : spliceError(500, `Party ${party} is hosted on multiple participants, which this operation cannot show`);
}
