/**
 * Gives a user a wallet: a party, a user of the participant that may act as it, and the install contract. Each step finds
 * the results of an earlier call, so a call that was cut off may be repeated. Calls about one user run one at a time.
 *
 * A user that registers gets no more than a party of its own: it can neither give itself a right that the operator has
 * taken away, nor a party that was not created for it (decision 0047).
 */
import { HttpError, TransportError, type User } from "@callsign/api";
import { type PartyId, parsePartyId } from "@callsign/ledger";
import type { KeyedQueue } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { readParty } from "../ledger/read-party.ts";
import { ledgerErrorOf } from "../ledger/submission-outcome.ts";
import { canActAs, grantRight, listGranted } from "../ledger/user-rights.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { type InstallParts, installWallet } from "./install-wallets.ts";
import { findHostedParty, findOrAllocateParty, formatPartyHint } from "./user-party.ts";
import { findUser, givePrimaryParty } from "./wallet-users.ts";

export interface OnboardingParts extends InstallParts {
  readonly ledger: Pick<WalletLedger, "requireCopy">;
  readonly userQueue: KeyedQueue;
}

export interface OnboardRequest {
  readonly name: string;
  readonly party_id: string | null;
  readonly createPartyIfMissing: boolean | null;
}

/** For the user itself. */
export function registerUser(parts: OnboardingParts, userName: string): Promise<PartyId> {
  return alone(parts, userName, async () => {
    const user = await findNamed(parts.participant, userName);
    const party = user === undefined ? await comeIn(parts, userName) : await stayIn(parts, user);
    return await install(parts, userName, party);
  });
}

async function comeIn(parts: OnboardingParts, userName: string): Promise<PartyId> {
  if ((await parts.directory.findByUser(userName)) !== undefined)
    throw new ValidatorError({ kind: "user-removed", user: userName });
  return await createUser(parts.participant, userName, await getOwnParty(parts, userName));
}

/** The party of a user that the participant has. */
async function stayIn(parts: OnboardingParts, user: User): Promise<PartyId> {
  const { participant } = parts;
  const { id, isDeactivated, primaryParty } = user;
  if (isDeactivated) throw refuse(id, "the user is deactivated");
  if (primaryParty === "") return await giveParty(participant, id, await getOwnParty(parts, id));
  if ((await listGranted(participant, id)).actAs.has(primaryParty)) return readParty(primaryParty);
  throw refuse(id, `the user may not act as ${primaryParty}`);
}

/** For the operator, who may give a user any party that the participant hosts. */
export function onboardUser(parts: OnboardingParts, request: OnboardRequest): Promise<PartyId> {
  return alone(parts, request.name, async () => {
    const { participant, directory } = parts;
    const { name } = request;
    const user = await findNamed(participant, name);
    const wallet = await directory.findByUser(name);
    const present = wallet?.party ?? user?.primaryParty ?? "";
    const wanted = present === "" ? await findWantedParty(parts, request) : readParty(present);
    const party = user === undefined ? await createUser(participant, name, wanted) : wanted;
    return await install(parts, name, await giveParty(participant, name, party));
  });
}

function alone<T>({ userQueue }: OnboardingParts, userName: string, work: () => Promise<T>): Promise<T> {
  return userQueue.run(userName, () =>
    work().catch((error: unknown) => {
      throw toValidatorError(error);
    }),
  );
}

/** The participant's user; undefined if there is none. Throws for a name that no user can have. */
async function findNamed(participant: ParticipantClient, userName: string): Promise<User | undefined> {
  try {
    return await findUser(participant, userName);
  } catch (error) {
    const isUnsendable = error instanceof TransportError && error.failure === "unsendable";
    if (userName === "" || isUnsendable)
      throw invalid(`${JSON.stringify(userName)} cannot be the name of a user.`);
    // The user belongs to another identity provider.
    if (error instanceof HttpError && error.status === 403) throw refuse(userName, "the user cannot be read");
    throw error;
  }
}

/** The party that was created for the user; created if it is missing. */
async function getOwnParty({ participant }: OnboardingParts, userName: string): Promise<PartyId> {
  const { party, createdFor } = await findOrAllocateParty(participant, formatPartyHint(userName), userName);
  if (createdFor === userName) return party;
  throw new ValidatorError({ kind: "party-of-another", user: userName, party });
}

async function giveParty(participant: ParticipantClient, userName: string, party: PartyId): Promise<PartyId> {
  await grantRight(participant, userName, canActAs(party));
  await givePrimaryParty(participant, userName, party);
  return party;
}

async function findWantedParty(
  { participant }: OnboardingParts,
  { name, party_id, createPartyIfMissing }: OnboardRequest,
): Promise<PartyId> {
  if (party_id === null) {
    if (createPartyIfMissing === false)
      throw invalid(
        `The user ${name} has no party: name one in party_id, or have one created with createPartyIfMissing.`,
      );
    return (await findOrAllocateParty(participant, formatPartyHint(name), name)).party;
  }
  const given = parsePartyId(party_id);
  if (!given.ok) throw invalid(`party_id: ${given.error}`);
  if (createPartyIfMissing === true) {
    const hint = party_id.slice(0, party_id.lastIndexOf("::"));
    return (await findOrAllocateParty(participant, hint, name)).party;
  }
  if ((await findHostedParty(participant, given.value)) !== undefined) return given.value;
  throw invalid(
    `party_id: the participant does not host ${party_id}. Name one of its parties, or have one created with createPartyIfMissing.`,
  );
}

/** Its party: the given one, unless somebody else has created the user in the meantime. */
async function createUser(participant: ParticipantClient, id: string, party: PartyId): Promise<PartyId> {
  try {
    await participant.client.createUser({
      body: { user: { id, primaryParty: party }, rights: [canActAs(party)] },
    });
    return party;
  } catch (error) {
    if (ledgerErrorOf(error)?.code !== "USER_ALREADY_EXISTS") throw error;
    const { primaryParty = "" } = (await findUser(participant, id)) ?? {};
    if (primaryParty !== party) throw error;
    return party;
  }
}

async function install(parts: OnboardingParts, userName: string, party: PartyId): Promise<PartyId> {
  const { participant, follower, directory, ledger, userQueue } = parts;
  await grantRight(participant, participant.userId, canActAs(party));
  await follower.follow(party);
  // Several users may share the party, which gives its right once. No user's name has a line break.
  await userQueue.run(`\n${party}`, async () => {
    if ((await directory.findByUser(userName)) !== undefined) return;
    await ledger.requireCopy();
    await installWallet(parts, { userName, party });
  });
  return (await directory.findByUser(userName))?.party ?? party;
}

function refuse(user: string, reason: string): ValidatorError {
  return new ValidatorError({ kind: "not-authorized", user, reason });
}

function invalid(text: string): ValidatorError {
  return new ValidatorError({ kind: "invalid-request", text });
}
