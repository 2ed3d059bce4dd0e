/**
 * MintingDelegationProposal: a beneficiary's offer to a delegate. Accepting it can replace the delegation that stands,
 * if that one is between the same two.
 */

import { showParty } from "../../daml/show.ts";
import { fail } from "../../engine/failure.ts";
import { implement } from "../../engine/template.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forOwnerAs } from "../checks/contract-group.ts";
import { MintingDelegation, MintingDelegationProposal } from "./declarations/minting-delegation.ts";

interface Delegation {
  readonly dso: PartyId;
  readonly beneficiary: PartyId;
  readonly delegate: PartyId;
}

export const mintingDelegationProposal = implement(MintingDelegationProposal, {
  signatories: ({ delegation }) => [delegation.beneficiary],
  observers: ({ delegation }) => [delegation.delegate],
  choices: {
    MintingDelegationProposal_Accept: {
      controllers: ({ delegation }) => [delegation.delegate],
      exercise: ({ update, contract: { delegation }, argument: { existingDelegationCid } }) => {
        if (existingDelegationCid !== null) endExisting(update, delegation, existingDelegationCid);
        return { mintingDelegationCid: update.create(MintingDelegation, delegation) };
      },
    },
    MintingDelegationProposal_Reject: {
      controllers: ({ delegation }) => [delegation.delegate],
      exercise: () => ({}),
    },
    MintingDelegationProposal_Withdraw: {
      controllers: ({ delegation }) => [delegation.beneficiary],
      exercise: () => ({}),
    },
  },
});

function endExisting(update: Update, proposed: Delegation, existingCid: ContractId): void {
  const { dso, beneficiary: owner } = proposed;
  const group = forOwnerAs({ dso, owner }, (found: Delegation) => found.beneficiary);
  const existing = fetchAndArchive(update, MintingDelegation, existingCid, group);
  if (existing.delegate === proposed.delegate) return;
  fail(
    "UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed",
    `${showParty(existing.delegate)} and ${showParty(proposed.delegate)} are not equal.`,
  );
}
