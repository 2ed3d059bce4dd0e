/**
 * The groups that contracts come in, by whose they are: of a DSO, of an owner, of a round. A contract whose group
 * is another than the expected one was slipped in. Names and fields are those of Splice, which shows both groups.
 */
import type { PartyId } from "../../values/party-id.ts";
import type { Round } from "../splice-amulet/declarations/round-number.ts";
import { showParty, showRecord } from "./show-value.ts";

/** Parties, and the number of a round. */
type GroupId = Readonly<Record<string, PartyId | bigint>>;

export interface ContractGroup<Contract> {
  readonly name: string;
  readonly expected: GroupId;
  readonly groupOf: (contract: Contract) => GroupId;
}

export function forDso(dso: PartyId): ContractGroup<{ readonly dso: PartyId }> {
  return { name: "ForDso", expected: { dso }, groupOf: (contract) => ({ dso: contract.dso }) };
}

export function forOwner(expected: {
  readonly dso: PartyId;
  readonly owner: PartyId;
}): ContractGroup<{ readonly dso: PartyId; readonly owner: PartyId }> {
  return { name: "ForOwner", expected, groupOf: ({ dso, owner }) => ({ dso, owner }) };
}

/** What belongs to an SV, such as its vote, counts the SV as its owner. */
export function forSvAsOwner(
  dso: PartyId,
  sv: PartyId,
): ContractGroup<{ readonly dso: PartyId; readonly sv: PartyId }> {
  const groupOf = (contract: { readonly dso: PartyId; readonly sv: PartyId }) => {
    return { dso: contract.dso, owner: contract.sv };
  };
  return { name: "ForOwner", expected: { dso, owner: sv }, groupOf };
}

export function forRound(
  dso: PartyId,
  round: bigint,
): ContractGroup<{ readonly dso: PartyId; readonly round: Round }> {
  const groupOf = (contract: { readonly dso: PartyId; readonly round: Round }) => {
    return { dso: contract.dso, round: contract.round.number };
  };
  return { name: "ForRound", expected: { dso, round }, groupOf };
}

/** Whether the contract is of the group. */
export function isOfGroup<Contract>(
  { expected, groupOf }: ContractGroup<Contract>,
  contract: Contract,
): boolean {
  const found = groupOf(contract);
  for (const field in expected) if (found[field] !== expected[field]) return false;
  return true;
}

export function showGroup(name: string, id: GroupId): string {
  const shown = Object.entries(id).map(([field, value]) => {
    return [
      field,
      typeof value === "bigint" ? showRecord("Round", { number: `${value}` }) : showParty(value),
    ];
  });
  return showRecord(name, Object.fromEntries(shown));
}
