/** The types of handlers, and the parts that they are made from. Each group of handlers names the parts that it uses. */
import type { ledgerApi, participantAdminApi } from "@callsign/api";
import type { Catalogue, Hash, Time } from "@callsign/ledger";
import type { Bell, Handlers, Host } from "@callsign/node";
import type { LedgerCaller } from "../access/caller.ts";
import type { UserQuota } from "../access/user-quota.ts";
import type { PartyAllocator } from "../parties/allocate-party.ts";
import type { NetworkParties } from "../parties/network-parties.ts";
import type { IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { PartyStore } from "../store/party-store.ts";
import type { UserStore } from "../store/user-store.ts";
import type { CommandSubmitter } from "../submission/command-submitter.ts";

export interface LedgerApiParts {
  readonly participantId: string;
  readonly ledger: LedgerStore;
  readonly parties: PartyStore;
  /** Learns of parties that other participants host. */
  readonly networkParties: NetworkParties;
  readonly users: UserStore;
  readonly providers: IdentityProviderStore;
  readonly submitter: CommandSubmitter;
  readonly allocator: PartyAllocator;
  /** Rings when items were stored. */
  readonly advanced: Bell;
  /** Lists that wait for an item. */
  readonly waiting: UserQuota;
  /** Every package that this program knows. */
  readonly catalogue: Catalogue;
  /** The packages that the network's protocol version knows. */
  readonly activePackages: () => Promise<Catalogue>;
  readonly hash: Hash;
  readonly host: Host;
  /** The reason why the participant is not ready; null if it is. */
  readonly missing: () => string | null;
  /** Empty until the network is known. */
  readonly synchronizerId: () => string;
  /** The record time up to which everything is on disk. */
  readonly recordTime: () => Time | undefined;
}

export type LedgerHandlers = Handlers<typeof ledgerApi.endpoints, LedgerCaller>;
export type AdminHandlers = Handlers<typeof participantAdminApi.endpoints, LedgerCaller>;
