/**
 * The users of the participant who have a wallet here. A missing user is created, with the operator's party as its own;
 * an existing one keeps its party. Repeating it changes nothing.
 */
import { HttpError, TransportError } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { readParty } from "../ledger/read-party.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import { canActAs, grantRight } from "../ledger/user-rights.ts";

export interface WalletUser {
  readonly userName: string;
  readonly party: PartyId;
}

export async function bindWalletUser(
  participant: ParticipantClient,
  userName: string,
  operatorParty: PartyId,
): Promise<WalletUser> {
  const party = await findOrMakeUser(participant, userName, operatorParty);
  await grantRight(participant, userName, canActAs(party));
  await grantRight(participant, participant.userId, canActAs(party));
  return { userName, party };
}

/** Sets the primary party of a user that has none. */
export async function givePrimaryParty(
  participant: ParticipantClient,
  userId: string,
  primaryParty: PartyId,
): Promise<void> {
  const user = await findUser(participant, userId);
  if (user === undefined || user.primaryParty !== "") return;
  await participant.client.updateUser({
    params: { "user-id": userId },
    body: { user: { id: userId, primaryParty }, updateMask: { paths: ["primary_party"] } },
  });
}

async function findOrMakeUser(
  participant: ParticipantClient,
  userName: string,
  operatorParty: PartyId,
): Promise<PartyId> {
  const known = await findUser(participant, userName);
  if (known !== undefined) return known.primaryParty === "" ? operatorParty : readParty(known.primaryParty);
  const { user } = await participant.client.createUser({
    body: { user: { id: userName, primaryParty: operatorParty }, rights: [canActAs(operatorParty)] },
  });
  return readParty(user.primaryParty);
}

export async function findUser(participant: ParticipantClient, userId: string) {
  try {
    return (await participant.client.getUser({ params: { "user-id": userId } })).user;
  } catch (error) {
    if (ledgerErrorOf(error)?.code === "USER_NOT_FOUND") return undefined;
    throw error;
  }
}

/** True for an unknown, impossible or inaccessible user: a retry would not change that. */
export function isNoUser(error: unknown): boolean {
  if (error instanceof TransportError) return error.failure === "unsendable";
  if (!(error instanceof HttpError)) return false;
  return error.status === 403 || error.status === 400 || ledgerErrorOf(error)?.code === "USER_NOT_FOUND";
}
