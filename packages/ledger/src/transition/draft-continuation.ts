/**
 * The entries that carry a network over into a new log, drafted from the state at the end of the log before. Parts are
 * filled in the order of the items: the same items give the same bytes.
 */
import { relTime } from "../contracts/rel-time.ts";
import type { Contract } from "../engine/contract.ts";
import { utf8Length } from "../values/text.ts";
import type {
  CarriedMember,
  ContinueNetwork,
  ImportState,
  OpenedRound,
  RewardTotal,
} from "./continuation-content.ts";
import { EntryContent } from "./entry-content.ts";
import type { AcceptedCommand, Head, Hosting, Member, Network, TrafficAccount } from "./ledger-view.ts";
import { CONTINUED_VERSION } from "./limits.ts";

/** A row of the state. Members and hostings come before contracts: streams need to know the hosts of parties. */
export type CarriedItem =
  | { readonly kind: "member"; readonly member: Member }
  | { readonly kind: "hosting"; readonly hosting: Hosting }
  | { readonly kind: "traffic"; readonly account: TrafficAccount }
  | { readonly kind: "command"; readonly key: string; readonly command: AcceptedCommand }
  | { readonly kind: "contract"; readonly contract: Contract }
  | { readonly kind: "round"; readonly round: OpenedRound }
  | { readonly kind: "reward"; readonly reward: RewardTotal };

type Lists = { -readonly [K in keyof ImportState]: ImportState[K][number][] };

/** A part ends with the item that brings it to so many characters. */
const PART_CHARACTERS = 1_000_000;
/** More would not fit into the numbers by which indexes order the contracts of an entry. */
const MAX_PART_ITEMS = 10_000;

/** The contents of the parts, one at a time. */
export function* draftParts(items: Iterable<CarriedItem>): Generator<string> {
  let lists = emptyLists();
  let [characters, count] = [0, 0];
  for (const item of items) {
    characters += addItem(lists, item);
    count++;
    if (characters < PART_CHARACTERS && count < MAX_PART_ITEMS) continue;
    yield formatPart(lists);
    lists = emptyLists();
    [characters, count] = [0, 0];
  }
  if (count > 0) yield formatPart(lists);
}

/** The entry that names the parts by their hashes. */
export function draftContinuation(
  { head, network }: { readonly head: Head; readonly network: Network },
  svs: readonly Member[],
  parts: readonly string[],
): ContinueNetwork {
  const { sequence, entryHash, digest, recordTime } = head;
  const { dso, synchronizerId, acronym, movableClock, clockOffset, burstAmount, burstWindow } = network;
  const { clockTolerance } = network;
  return {
    protocolVersion:
      network.protocolVersion > CONTINUED_VERSION ? network.protocolVersion : CONTINUED_VERSION,
    previous: {
      network: network.id,
      migrationId: network.migrationId,
      sequence: BigInt(sequence),
      entryHash,
      digest,
      recordTime,
    },
    ...{ dso, synchronizerId, acronym, movableClock, clockOffset, burstAmount, burstWindow },
    svs: svs.map(carriedMember),
    parts,
    clockTolerance: clockTolerance === undefined ? null : relTime(clockTolerance),
  };
}

function formatPart(value: ImportState): string {
  return EntryContent.encode({ tag: "ImportState", value });
}

function emptyLists(): Lists {
  return { members: [], hostings: [], traffic: [], commands: [], contracts: [], rounds: [], rewards: [] };
}

/** Returns about the characters that the item takes. */
function addItem(lists: Lists, item: CarriedItem): number {
  const small = 300;
  switch (item.kind) {
    case "member":
      lists.members.push(carriedMember(item.member));
      return small + item.member.signingKeys.length * 70;
    case "hosting":
      lists.hostings.push(item.hosting);
      return small + item.hosting.hosts.length * 100;
    case "traffic":
      lists.traffic.push(carriedAccount(item.account));
      return small;
    case "command":
      lists.commands.push({ key: item.key, ...item.command });
      return small + utf8Length(item.key);
    case "contract":
      lists.contracts.push(item.contract);
      return small + utf8Length(item.contract.payload);
    case "round":
      lists.rounds.push(item.round);
      return small;
    case "reward":
      lists.rewards.push(item.reward);
      return small;
  }
}

function carriedAccount(account: TrafficAccount): Lists["traffic"][number] {
  const { purchased, consumed, isNewcomer = null } = account;
  return { ...account, purchased: `${purchased}`, consumed: `${consumed}`, isNewcomer };
}

function carriedMember({ id, namespaceKey, signingKeys, keySerial }: Member): CarriedMember {
  return { id, namespaceKey, signingKeys, keySerial };
}
