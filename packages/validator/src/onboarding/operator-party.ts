/** The validator's own party: found by its hint among the participant's parties, or allocated. */
import type { PartyId } from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import { listKnownParties } from "../ledger/known-parties.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { readParty } from "../ledger/read-party.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import { findPartyHintProblem } from "../settings/onboarding-settings.ts";
import { SettingsRefused } from "../settings/setting-finding.ts";
import { findUser } from "./wallet-users.ts";

export interface OperatorSettings {
  readonly hint: string;
  /** A new party of an SV's validator may have any hint. */
  readonly isFreeForm: boolean;
}

export async function findOrAllocateOperator(
  participant: ParticipantClient,
  { hint, isFreeForm }: OperatorSettings,
): Promise<PartyId> {
  await checkPrimaryParty(participant, hint);
  const found = await findPartyByHint(participant, hint);
  if (found !== undefined) return found;
  const problem = isFreeForm ? undefined : findPartyHintProblem(hint);
  if (problem !== undefined) throw new SettingsRefused([problem]);
  try {
    const { partyDetails } = await participant.client.allocateParty({ body: { partyIdHint: hint } });
    return readParty(partyDetails.party);
  } catch (error) {
    // An earlier start may have allocated it in the meantime.
    const made = ledgerErrorOf(error) === undefined ? undefined : await findPartyByHint(participant, hint);
    if (made === undefined) throw error;
    return made;
  }
}

/** The service user's party is the operator's: a store that was lost does not make it another one's. */
async function checkPrimaryParty(participant: ParticipantClient, hint: string): Promise<void> {
  const { primaryParty = "" } = (await findUser(participant, participant.userId)) ?? {};
  if (primaryParty === "" || primaryParty.startsWith(`${hint}::`)) return;
  throw new Error(
    `the party of the service user ${participant.userId} is ${primaryParty}, and configuration names the party hint ${hint}: give back the hint that it had, or take another participant`,
  );
}

/** Another party would have none of the names, coin and wallets of the one before it. */
export function checkOperatorHint(known: string | undefined, hint: string): void {
  if (known === undefined || known.startsWith(`${hint}::`)) return;
  throw new CannotStart(
    `this data folder is of a validator whose party is ${known}, and configuration names the party hint ${hint}: give back the hint that it had, or take another folder`,
  );
}

async function findPartyByHint(participant: ParticipantClient, hint: string): Promise<PartyId | undefined> {
  const prefix = `${hint}::`;
  // Other participants may have parties of the same hint.
  for await (const { party, isLocal } of listKnownParties(participant, prefix))
    if (isLocal && party.startsWith(prefix)) return readParty(party);
  return undefined;
}
