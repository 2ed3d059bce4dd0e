/** Allocates a party of the participant's own namespace: the network is asked to host it here, and reports when it does. */
import type { ledgerApi, PartyDetails, ServerRequest } from "@callsign/api";
import { type PartyId, parsePartyId } from "@callsign/ledger";
import type { Host, MemberIdentity } from "@callsign/node";
import { refuseTooManyRights, withinRightsLimit } from "../access/rights-limit.ts";
import { MAX_PARTY_HINT } from "../limits/limits.ts";
import {
  failWith,
  invalidArgument,
  invalidField,
  needParty,
  permissionDenied,
} from "../requests/identifiers.ts";
import { isSynchronizer } from "../requests/synchronizer-name.ts";
import { readNewAnnotations } from "../resources/object-meta.ts";
import { checkIdentityProvider, type IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { PartyAllocation, PartyAllocations } from "../store/party-allocations.ts";
import type { PartyRecord, PartyStore } from "../store/party-store.ts";
import type { UserStore } from "../store/user-store.ts";
import type { Completions } from "../submission/completions.ts";
import type { EntrySender } from "../submission/entry-sender.ts";
import { readUserId } from "../users/read-user.ts";
import { needUserOf, userFailure } from "../users/user-failures.ts";
import { formatPartyDetails } from "./update-party-details.ts";

type AllocateRequest = ServerRequest<typeof ledgerApi.endpoints.allocateParty>["body"];

export interface AllocationParts {
  readonly identity: MemberIdentity;
  readonly host: Host;
  readonly parties: PartyStore;
  readonly users: UserStore;
  readonly providers: IdentityProviderStore;
  readonly allocations: PartyAllocations;
  readonly sender: EntrySender;
  readonly completions: Completions;
  readonly synchronizerId: () => string;
}

/** The caller, as far as it matters here. */
export interface AllocationFor {
  /** The identity provider that the party will belong to. */
  readonly identityProviderId: string;
  /** Other users may not allocate parties. */
  readonly isAdmin: boolean;
}

/** A name and a fingerprint, with or without the protocol's version. */
const SYNCHRONIZER_ID = /^[A-Za-z0-9\-_ ]{1,185}::[A-Za-z0-9\-_ ]{1,68}(::[0-9]{1,5}-[0-9]{1,10})?$/;

export class PartyAllocator {
  readonly #parts: AllocationParts;
  readonly #inFlight = new Set<string>();

  constructor(parts: AllocationParts) {
    this.#parts = parts;
  }

  async allocate(request: AllocateRequest, asker: AllocationFor): Promise<PartyDetails> {
    const { identity, host, providers } = this.#parts;
    const { partyIdHint, userId, synchronizerId } = request;
    const hint = partyIdHint === "" ? `party-${host.randomness.uuid()}` : needParty(partyIdHint);
    const annotations = readNewAnnotations(request.localMetadata, "local_metadata");
    checkSynchronizerId(synchronizerId);
    if (userId !== "") readUserId(userId, "user_id");
    const party = partyIdOf(hint, identity.namespace);
    const { identityProviderId, isAdmin } = asker;
    await checkIdentityProvider(providers, identityProviderId);
    const allocation = { party, userId, identityProviderId };
    await this.#checkUser(allocation);
    if (!isAdmin) throw permissionDenied("only an admin may allocate a party");
    await this.#checkOwner(party, identityProviderId);
    this.#checkConnected(synchronizerId);
    const record = { identityProviderId, resourceVersion: 0n, annotations };
    const { made, granted } = await this.#alone(party, () => this.#make(allocation, record));
    if (made === undefined) throw new Error(`the party ${party} is gone`);
    if (granted) return formatPartyDetails(made);
    const cause = `The user ${userId} was deleted in the meantime`;
    throw userFailure("USER_DELETED_WHILE_UPDATING", userId, cause);
  }

  /** Throws if an allocation of the same party is in flight. */
  async #alone<T>(party: PartyId, work: () => Promise<T>): Promise<T> {
    if (this.#inFlight.has(party)) {
      failWith("REQUEST_ALREADY_IN_FLIGHT", `The party ${party} is being allocated already`);
    }
    this.#inFlight.add(party);
    try {
      return await work();
    } finally {
      this.#inFlight.delete(party);
    }
  }

  /** Refuses a party that exists, unless its allocation was begun for the same user and provider and never ended. */
  async #make(allocation: PartyAllocation & { readonly party: PartyId }, record: PartyRecord) {
    const { parties, allocations } = this.#parts;
    const { party, userId } = allocation;
    if ((await parties.find(party)) === undefined) await this.#host(allocation);
    else if (!(await allocations.isPending(allocation))) {
      throw invalidArgument(`Party already exists: ${party}`);
    }
    return withinRightsLimit(userId, allocations.end(allocation, record));
  }

  async #host(allocation: PartyAllocation & { readonly party: PartyId }): Promise<void> {
    const { sender, completions, identity, allocations } = this.#parts;
    const { party } = allocation;
    await sender.send<void>(async ({ once }) => {
      await allocations.begin(allocation, once.maxRecordTime);
      return {
        content: { tag: "HostParty", value: { ...once, party, hosts: [identity.id], serial: 1n } },
        watch: (seen) => completions.onHosted(party, () => seen()),
        dropped: () => allocations.drop(party),
      };
    });
  }

  async #checkUser({ party, userId, identityProviderId }: PartyAllocation): Promise<void> {
    const { users } = this.#parts;
    if (userId === "") return;
    needUserOf(userId, identityProviderId)(await users.find(userId));
    if (!(await users.hasRoomFor(userId, { kind: "CanActAs", party }))) refuseTooManyRights(userId);
  }

  /** A party of another identity provider cannot be allocated again. */
  async #checkOwner(party: PartyId, identityProviderId: string): Promise<void> {
    const known = await this.#parts.parties.find(party);
    const owner = known?.record?.identityProviderId ?? identityProviderId;
    if (owner !== identityProviderId)
      throw permissionDenied("the party belongs to another identity provider");
  }

  #checkConnected(asked: string): void {
    const ours = this.#parts.synchronizerId();
    if (ours !== "" && isSynchronizer(asked, ours)) return;
    const cause =
      ours === ""
        ? "This participant is not connected to a synchronizer yet: try again when it is ready"
        : `This participant is connected to ${ours} only, not to ${asked.slice(0, 300)}`;
    failWith("PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER", cause);
  }
}

function checkSynchronizerId(given: string): void {
  if (given === "" || SYNCHRONIZER_ID.test(given)) return;
  throw invalidField("synchronizer_id", `"${given.slice(0, 255)}" is not of the form <name>::<fingerprint>`);
}

function partyIdOf(hint: string, namespace: string): PartyId {
  const party = parsePartyId(`${hint}::${namespace}`);
  if (hint.length <= MAX_PARTY_HINT && !hint.includes("::") && !hint.endsWith(":") && party.ok)
    return party.value;
  const allowed = `a hint has 1 to ${MAX_PARTY_HINT} characters, no '::' and no ':' at its end`;
  throw invalidArgument(`Invalid party ID: ${hint}::${namespace}: ${allowed}`);
}
