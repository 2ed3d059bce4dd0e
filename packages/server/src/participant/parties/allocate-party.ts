/** Makes a party of the participant's own namespace: the network is asked to host it here, and tells when it does. */
import { randomUUID } from "node:crypto";
import type { ledgerApi, PartyDetails, ServerRequest } from "@callsign/api";
import { type LedgerError, ledgerError, type PartyId, parsePartyId } from "@callsign/ledger";
import type { MemberIdentity } from "../../identity/member-identity.ts";
import { failWith, findPartyFault, invalidArgument, isUserId } from "../identifiers.ts";
import type { PartyStore } from "../store/party-store.ts";
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
    const { identity, parties } = this.#parts;
    const party = partyIdOf(request.partyIdHint, identity.namespace);
    const { annotations = {}, resourceVersion = "" } = request.localMetadata ?? {};
    if (resourceVersion !== "")
      throw invalidArgument("field local_metadata.resource_version must be not set");
    orFail(findEmptyValue(annotations));
    orFail(findAnnotationsFault(annotations, "local_metadata.annotations"));
    checkIdentityProvider(request.identityProviderId);
    this.#checkSynchronizer(request.synchronizerId);
    await this.#checkUser(request.userId);
    if ((await parties.find(party)) !== undefined) throw invalidArgument(`Party already exists: ${party}`);
    await this.#host(party);
    const { identityProviderId } = request;
    const made = await parties.update(party, (known) =>
      known?.record === null ? { identityProviderId, resourceVersion: 0n, annotations } : null,
    );
    if (made === undefined) throw new Error(`the party ${party} is gone`);
    await this.#grant(request.userId, party);
    return formatPartyDetails(made);
  }

  /** One request at a time for a party; a second one is told to wait. */
  async #host(party: PartyId): Promise<void> {
    const { sender, completions, identity } = this.#parts;
    if (this.#inFlight.has(party)) {
      failWith(ledgerError("REQUEST_ALREADY_IN_FLIGHT", `The party ${party} is being allocated already`));
    }
    this.#inFlight.add(party);
    try {
      await sender.send<void>(({ once }) => ({
        content: { tag: "HostParty", value: { ...once, party, hosts: [identity.id], serial: 1n } },
        watch: (seen) => completions.onHosted(party, () => seen()),
      }));
    } finally {
      this.#inFlight.delete(party);
    }
  }

  async #checkUser(userId: string): Promise<void> {
    if (userId === "") return;
    if (!isUserId(userId)) throw invalidArgument(`User ID "${userId.slice(0, 128)}" is not valid`);
    if ((await this.#parts.users.find(userId)) === undefined) failWith(userNotFound(userId));
  }

  async #grant(userId: string, party: string): Promise<void> {
    if (userId === "") return;
    if ((await this.#parts.users.grant(userId, [{ kind: "CanActAs", party }])) !== undefined) return;
    failWith(
      ledgerError("USER_DELETED_WHILE_UPDATING", `The user ${userId} was deleted in the meantime`, {
        resources: [["USER", userId]],
      }),
    );
  }

  #checkSynchronizer(given: string): void {
    const ours = this.#parts.synchronizerId();
    if (given === "" || given === ours || given.startsWith(`${ours}::`)) return;
    const cause = `This participant is connected to ${ours} only, not to ${given.slice(0, 300)}`;
    failWith(ledgerError("PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER", cause));
  }
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
