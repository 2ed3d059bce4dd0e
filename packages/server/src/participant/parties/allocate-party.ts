/** Makes a party of the participant's own namespace: the network is asked to host it here, and tells when it does. */
import { randomUUID } from "node:crypto";
import type { ledgerApi, PartyDetails, ServerRequest } from "@callsign/api";
import { type LedgerError, ledgerError, type PartyId, parsePartyId } from "@callsign/ledger";
import type { MemberIdentity } from "../../identity/member-identity.ts";
import { tooManyRights, withinRightsLimit } from "../access/rights-limit.ts";
import { failWith, findPartyFault, invalidArgument, isUserId } from "../identifiers.ts";
import type { Allocation, PartyAllocations } from "../store/party-allocations.ts";
import type { PartyRecord, PartyStore } from "../store/party-store.ts";
import type { UserStore } from "../store/user-store.ts";
import type { Completions } from "../submission/completions.ts";
import type { EntrySender } from "../submission/entry-sender.ts";
import { findAnnotationsFault, findEmptyValue } from "./annotations.ts";
import { checkIdentityProvider, formatPartyDetails } from "./update-party-details.ts";

type AllocateRequest = ServerRequest<typeof ledgerApi.endpoints.allocateParty>["body"];

export interface AllocationParts {
  readonly identity: MemberIdentity;
  readonly parties: PartyStore;
  readonly users: UserStore;
  readonly allocations: PartyAllocations;
  readonly sender: EntrySender;
  readonly completions: Completions;
  readonly synchronizerId: () => string;
}

const MAX_HINT = 185;

export class PartyAllocator {
  readonly #parts: AllocationParts;
  readonly #inFlight = new Set<string>();

  constructor(parts: AllocationParts) {
    this.#parts = parts;
  }

  async allocate(request: AllocateRequest): Promise<PartyDetails> {
    const { identity } = this.#parts;
    const party = partyIdOf(request.partyIdHint, identity.namespace);
    const { annotations = {}, resourceVersion = "" } = request.localMetadata ?? {};
    if (resourceVersion !== "")
      throw invalidArgument("field local_metadata.resource_version must be not set");
    orFail(findEmptyValue(annotations));
    orFail(findAnnotationsFault(annotations, "local_metadata.annotations"));
    checkIdentityProvider(request.identityProviderId);
    this.#checkSynchronizer(request.synchronizerId);
    const { userId, identityProviderId } = request;
    const allocation = { party, userId };
    await this.#checkUser(allocation);
    const record = { identityProviderId, resourceVersion: 0n, annotations };
    const { made, granted } = await this.#alone(party, () => this.#make(allocation, record));
    if (made === undefined) throw new Error(`the party ${party} is gone`);
    if (!granted) failWith(userDeleted(userId));
    return formatPartyDetails(made);
  }

  /** One request at a time for a party; a second one is told to wait. */
  async #alone<T>(party: PartyId, work: () => Promise<T>): Promise<T> {
    if (this.#inFlight.has(party)) {
      failWith(ledgerError("REQUEST_ALREADY_IN_FLIGHT", `The party ${party} is being allocated already`));
    }
    this.#inFlight.add(party);
    try {
      return await work();
    } finally {
      this.#inFlight.delete(party);
    }
  }

  /** A party that is there is refused, unless its allocation was begun for the same user and never ended. */
  async #make(allocation: Allocation & { readonly party: PartyId }, record: PartyRecord) {
    const { parties, allocations } = this.#parts;
    const { party, userId } = allocation;
    if ((await parties.find(party)) === undefined) await this.#host(allocation);
    else if (!(await allocations.isPending(allocation))) {
      throw invalidArgument(`Party already exists: ${party}`);
    }
    return withinRightsLimit(userId, allocations.end(allocation, record));
  }

  async #host({ party, userId }: Allocation & { readonly party: PartyId }): Promise<void> {
    const { sender, completions, identity, allocations } = this.#parts;
    await sender.send<void>(async ({ once }) => {
      await allocations.begin({ party, userId }, once.maxRecordTime);
      return {
        content: { tag: "HostParty", value: { ...once, party, hosts: [identity.id], serial: 1n } },
        watch: (seen) => completions.onHosted(party, () => seen()),
        dropped: () => allocations.drop(party),
      };
    });
  }

  async #checkUser({ party, userId }: Allocation): Promise<void> {
    const { users } = this.#parts;
    if (userId === "") return;
    if (!isUserId(userId)) throw invalidArgument(`User ID "${userId.slice(0, 128)}" is not valid`);
    if ((await users.find(userId)) === undefined) failWith(userNotFound(userId));
    if (!(await users.hasRoomFor(userId, { kind: "CanActAs", party }))) failWith(tooManyRights(userId));
  }

  #checkSynchronizer(given: string): void {
    const ours = this.#parts.synchronizerId();
    if (given === "" || given === ours || given.startsWith(`${ours}::`)) return;
    const cause = `This participant is connected to ${ours} only, not to ${given.slice(0, 300)}`;
    failWith(ledgerError("PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER", cause));
  }
}

function userDeleted(userId: string): LedgerError {
  const resources = [["USER", userId]] as const;
  const cause = `The user ${userId} was deleted in the meantime`;
  return ledgerError("USER_DELETED_WHILE_UPDATING", cause, { resources });
}

export function userNotFound(userId: string): LedgerError {
  return ledgerError("USER_NOT_FOUND", `User not found: ${userId}`, { resources: [["USER", userId]] });
}

function partyIdOf(hint: string, namespace: string): PartyId {
  const name = hint === "" ? `party-${randomUUID()}` : hint;
  if (name.length > 255) throw invalidArgument("Party is too long (max: 255)");
  const fault = findPartyFault(name);
  if (fault !== null) throw invalidArgument(fault);
  const party = parsePartyId(`${name}::${namespace}`);
  if (name.length <= MAX_HINT && !name.includes("::") && !name.endsWith(":") && party.ok) return party.value;
  const allowed = `a hint has 1 to ${MAX_HINT} characters, no '::' and no ':' at its end`;
  throw invalidArgument(`Invalid party ID: ${name}::${namespace}: ${allowed}`);
}

function orFail(error: LedgerError | null): void {
  if (error !== null) failWith(error);
}
