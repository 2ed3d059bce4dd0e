/** Rights, from the wire and back, and whether somebody may hand them out. */
import type { Right } from "@callsign/api";
import type { LedgerCaller } from "../access/caller.ts";
import { MAX_RIGHTS_PER_USER } from "../limits/limits.ts";
import { failWith, invalidArgument, needParty } from "../requests/identifiers.ts";
import type { PartyStore } from "../store/party-store.ts";
import { rightKinds, type UserRight } from "../store/right-rows.ts";

const MAX_SHOWN = 10;

/** Each once. */
export function readRights(given: readonly Right[]): readonly UserRight[] {
  const rights = new Map<string, UserRight>();
  for (const each of given) {
    const right = readRight(each);
    rights.set(`${right.kind} ${right.party}`, right);
  }
  return [...rights.values()];
}

function readRight({ kind }: Right): UserRight {
  if ("CanActAs" in kind) return { kind: "CanActAs", party: needParty(kind.CanActAs.value.party) };
  if ("CanReadAs" in kind) return { kind: "CanReadAs", party: needParty(kind.CanReadAs.value.party) };
  if ("CanExecuteAs" in kind) {
    return { kind: "CanExecuteAs", party: needParty(kind.CanExecuteAs.value.party) };
  }
  const found = rightKinds.find((name) => name in kind);
  if (found !== undefined) return { kind: found, party: "" };
  throw invalidArgument(`unknown kind of right: Empty. The kinds are ${rightKinds.join(", ")}`);
}

export function formatRight({ kind, party }: UserRight): Right {
  switch (kind) {
    case "CanActAs":
      return { kind: { CanActAs: { value: { party } } } };
    case "CanReadAs":
      return { kind: { CanReadAs: { value: { party } } } };
    case "CanExecuteAs":
      return { kind: { CanExecuteAs: { value: { party } } } };
    case "CanReadAsAnyParty":
      return { kind: { CanReadAsAnyParty: { value: {} } } };
    case "CanExecuteAsAnyParty":
      return { kind: { CanExecuteAsAnyParty: { value: {} } } };
    case "ParticipantAdmin":
      return { kind: { ParticipantAdmin: { value: {} } } };
    case "IdentityProviderAdmin":
      return { kind: { IdentityProviderAdmin: { value: {} } } };
  }
}

/**
 * The participant's admin may hand out rights for any party, known or not. An identity provider's admin may do so for
 * the parties of that identity provider, and no other.
 */
export async function checkPartiesOf(
  identityProviderId: string,
  rights: readonly UserRight[],
  { caller, parties }: { readonly caller: LedgerCaller; readonly parties: PartyStore },
): Promise<void> {
  if (caller.isAdmin) return;
  const named = new Set(rights.flatMap(({ party }) => (party === "" ? [] : [party])));
  const unknown: string[] = [];
  // More rights than a user can have are refused for that.
  for (const party of [...named].slice(0, MAX_RIGHTS_PER_USER)) {
    const known = await parties.find(party);
    if (known?.record?.identityProviderId !== identityProviderId) unknown.push(party);
  }
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MAX_SHOWN);
  const cause = `Provided parties have not been found in identity_provider_id=\`${identityProviderId}\`: [${shown.join(",")}].`;
  const resources = shown.map((party) => ["PARTIES", party] as const);
  failWith("UNKNOWN_RESOURCE", cause, { resources });
}
