/**
 * The groups that contracts come in, by whose they are: of a DSO, of an owner, of a round. A contract whose group
 * is another than the expected one was slipped in. Names and fields are those of Splice, which shows both groups.
 */

import { showRecord, showText } from "../../daml/show.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Round } from "../splice-amulet/declarations/round-number.ts";

/** Parties, the number of a round, and whose traffic it is. */
type GroupId = Readonly<Record<string, string | bigint>>;

export interface ContractGroup<Contract> {
  readonly name: string;
  readonly expected: GroupId;
  readonly groupOf: (contract: Contract) => GroupId;
}

type OfDso = { readonly dso: PartyId };
type OfOwner = OfDso & { readonly owner: PartyId };

export function forDso(dso: PartyId): ContractGroup<OfDso> {
  return { name: "ForDso", expected: { dso }, groupOf: (contract) => ({ dso: contract.dso }) };
}

export function forOwner(expected: OfOwner): ContractGroup<OfOwner> {
  return { name: "ForOwner", expected, groupOf: ({ dso, owner }) => ({ dso, owner }) };
}

/** The same for contracts whose owner stands in a field of another name. */
export function forOwnerAs<Contract extends OfDso>(
  { dso, owner }: OfOwner,
  ownerOf: (contract: Contract) => PartyId,
): ContractGroup<Contract> {
  const groupOf = (contract: Contract) => ({ dso: contract.dso, owner: ownerOf(contract) });
  return { name: "ForOwner", expected: { dso, owner }, groupOf };
}

interface OfToken {
  readonly instrumentId: { readonly admin: PartyId };
}

/** A token's owner, under the token's administrator. */
export function forOwnerOfHolding(expected: OfOwner): ContractGroup<OfToken & { readonly owner: PartyId }> {
  return {
    name: "ForOwner",
    expected,
    groupOf: ({ owner, instrumentId }) => ({ dso: instrumentId.admin, owner }),
  };
}

/** A transfer by the token standard is of the DSO that administers its token. */
export function forDsoOfTransfer(dso: PartyId): ContractGroup<{ readonly transfer: OfToken }> {
  return {
    name: "ForDso",
    expected: { dso },
    groupOf: ({ transfer }) => ({ dso: transfer.instrumentId.admin }),
  };
}

/** So is an allocation, by the token of its leg. */
export function forDsoOfAllocation(
  dso: PartyId,
): ContractGroup<{ readonly allocation: { readonly transferLeg: OfToken } }> {
  return {
    name: "ForDso",
    expected: { dso },
    groupOf: ({ allocation }) => ({ dso: allocation.transferLeg.instrumentId.admin }),
  };
}

/** An SV's own contracts, such as its vote: the SV counts as their owner. */
export function forSvAsOwner(dso: PartyId, sv: PartyId): ContractGroup<OfDso & { readonly sv: PartyId }> {
  return forOwnerAs({ dso, owner: sv }, (contract) => contract.sv);
}

/** Contracts of an SV by its name: they outlive the party that operates its node. */
export function forSv(dso: PartyId, svName: string): ContractGroup<OfDso & { readonly svName: string }> {
  const groupOf = (contract: OfDso & { readonly svName: string }) => {
    return { dso: contract.dso, svName: contract.svName };
  };
  return { name: "ForSv", expected: { dso, svName }, groupOf };
}

/** Contracts of one node of an SV: of the party that operates it, in the SV's name. */
export function forSvNode(expected: SvNode): ContractGroup<SvNode> {
  const groupOf = ({ dso, sv, svName }: SvNode) => ({ dso, sv, svName });
  return { name: "ForSvNode", expected: groupOf(expected), groupOf };
}

interface SvNode extends OfDso {
  readonly sv: PartyId;
  readonly svName: string;
}

export function forRound(dso: PartyId, round: bigint): ContractGroup<OfDso & { readonly round: Round }> {
  const groupOf = (contract: OfDso & { readonly round: Round }) => {
    return { dso: contract.dso, round: contract.round.number };
  };
  return { name: "ForRound", expected: { dso, round }, groupOf };
}

/** The traffic of one member on one synchronizer. */
interface MemberTrafficGroup extends OfDso {
  readonly memberId: string;
  readonly synchronizerId: string;
  readonly migrationId: bigint;
}

export function forMemberTraffic(expected: MemberTrafficGroup): ContractGroup<MemberTrafficGroup> {
  const groupOf = ({ dso, memberId, synchronizerId, migrationId }: MemberTrafficGroup) => {
    return { dso, memberId, synchronizerId, migrationId };
  };
  return { name: "ForMemberTraffic", expected: groupOf(expected), groupOf };
}

/** True if the contract is of the group. */
export function isOfGroup<Contract>(
  { expected, groupOf }: ContractGroup<Contract>,
  contract: Contract,
): boolean {
  const found = groupOf(contract);
  for (const field in expected) if (found[field] !== expected[field]) return false;
  return true;
}

export function showGroup(name: string, id: GroupId): string {
  const shown = Object.entries(id).map(([field, value]) => [field, showField(field, value)] as const);
  return showRecord(name, shown);
}

/** The fields that hold texts; the others hold parties. */
const TEXTS: ReadonlySet<string> = new Set(["memberId", "synchronizerId", "svName"]);

function showField(field: string, value: string | bigint): string {
  if (typeof value === "bigint") return field === "round" ? Round.show({ number: value }) : `${value}`;
  return TEXTS.has(field) ? showText(value) : `'${value}'`;
}
