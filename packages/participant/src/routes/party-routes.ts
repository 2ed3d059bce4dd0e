/** Parties: list, get, allocate, update. */
import type { PartyDetails } from "@callsign/api";
import { identityProviderFor } from "../access/identity-provider-rule.ts";
import {
  MAX_ASKED_ANNOTATION_BYTES,
  MAX_PARTIES_ASKED,
  MAX_PARTIES_PAGE_SIZE,
  MAX_PARTY_HINT,
} from "../limits/limits.ts";
import { formatPartyDetails, updatePartyDetails } from "../parties/update-party-details.ts";
import { readPageLimit } from "../reads/page-size.ts";
import { findPartyFault, invalidArgument, invalidField, needParty } from "../requests/identifiers.ts";
import { sizeOf } from "../resources/annotations.ts";
import { formatPageToken, parsePageToken } from "../resources/page-token.ts";
import type { KnownParty } from "../store/party-store.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

const TOO_MANY_BYTES = `these parties have more than ${MAX_ASKED_ANNOTATION_BYTES} bytes of annotations: ask for fewer at a time`;

type Parts = Pick<LedgerApiParts, "participantId" | "parties" | "networkParties" | "providers" | "allocator">;

export function partyRoutes(parts: Parts) {
  const { participantId, parties, networkParties, allocator } = parts;
  return {
    getParticipantId: () => ({ participantId }),
    listParties: async ({ query }, { caller, signal }) => {
      const after = readPageToken(query.pageToken);
      const limit = readPageLimit(query.pageSize, MAX_PARTIES_PAGE_SIZE);
      const prefix = readFilter(query["filter-party"]);
      await networkParties.learnPage({ after, prefix, limit }, signal);
      const page = await parties.list({ after, prefix, limit });
      const last = page.mayGoOn ? page.items.at(-1) : undefined;
      const view = identityProviderFor(caller, query["identity-provider-id"]);
      return {
        partyDetails: page.items.map((each) => seenFrom(each, view)),
        nextPageToken: last === undefined ? "" : formatPageToken(last.party),
      };
    },
    allocateParty: async ({ body }, { caller }) => {
      const partyDetails = await allocator.allocate(body, {
        identityProviderId: identityProviderFor(caller, body.identityProviderId),
        isAdmin: caller.isAdmin || caller.isIdentityProviderAdmin,
      });
      return { partyDetails };
    },
    getParties: async ({ params, query }, { caller, signal }) => {
      const asked = [...new Set([params.party, ...query.parties])].sort();
      if (asked.length > MAX_PARTIES_ASKED)
        throw invalidArgument(`at most ${MAX_PARTIES_ASKED} parties can be asked for`);
      await networkParties.learn(asked.map(needParty), signal);
      const view = identityProviderFor(caller, query["identity-provider-id"]);
      const partyDetails: PartyDetails[] = [];
      let bytes = 0;
      for (const party of asked) {
        const known = await parties.find(party);
        if (known === undefined) continue;
        const seen = seenFrom(known, view);
        bytes += sizeOf(seen.localMetadata?.annotations ?? {});
        if (bytes > MAX_ASKED_ANNOTATION_BYTES) throw invalidArgument(TOO_MANY_BYTES);
        partyDetails.push(seen);
      }
      return { partyDetails };
    },
    updatePartyDetails: async ({ body }, { caller }) => {
      const asked = body.partyDetails?.identityProviderId ?? "";
      const identityProviderId = identityProviderFor(caller, asked);
      return { partyDetails: await updatePartyDetails(parts, body, identityProviderId) };
    },
  } satisfies Partial<LedgerHandlers>;
}

/** A caller of another identity provider sees that the party exists, and no more. */
function seenFrom(known: KnownParty, identityProviderId: string): PartyDetails {
  const own = (known.record?.identityProviderId ?? "") === identityProviderId;
  if (own) return formatPartyDetails(known);
  return formatPartyDetails({
    ...known,
    isLocal: identityProviderId === "" && known.isLocal,
    record: null,
  });
}

function readPageToken(token: string): string {
  const after = parsePageToken(token);
  if (after === "" || (after !== undefined && findPartyFault(after) === null)) return after;
  throw invalidArgument("Invalid page token");
}

function readFilter(prefix: string): string {
  if (prefix === "") return "";
  const tooLong = prefix.length > MAX_PARTY_HINT ? `it is longer than ${MAX_PARTY_HINT} characters` : null;
  const fault = findPartyFault(prefix) ?? tooLong;
  if (fault !== null) throw invalidField("filterString", fault);
  return prefix;
}
