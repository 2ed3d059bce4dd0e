/**
 * The state of a replica, as the parts that carry it over into a new log. Rows come in a fixed order, so that every
 * replica at the same entry writes the same bytes. One part is in memory at a time.
 *
 * Contracts come in the order of their creation, because consumers order them by it. A few kinds come first: consumers
 * look for them when they take in other contracts.
 */
import {
  type CarriedItem,
  type ContractId,
  DsoRules,
  draftParts,
  LockedAmulet,
  MAX_DEDUPLICATION_PERIOD,
  type Member,
  type OpenedRound,
  OpenMiningRound,
  type RewardTotal,
  type Time,
  type TrafficAccount,
} from "@callsign/ledger";
import { parseJson } from "@callsign/node";
import { CheckedRows } from "./checked-rows.ts";
import { readHosting } from "./replica-rows.ts";
import type { SqliteState } from "./sqlite-state.ts";
import { listCommands } from "./used-ids.ts";

/** The rows that do not follow from the contracts: scan's sums over the whole log. */
export interface CarriedHistory {
  readonly rounds: () => Iterable<OpenedRound>;
  readonly rewards: () => Iterable<RewardTotal>;
}

/** The number of SVs decides votes, the open round the horizon of coins, and a payment is worth its locked coin. */
const FIRST_KINDS = [DsoRules.id, OpenMiningRound.id, LockedAmulet.id] as const;

/** The contents of the parts. `endedAt` is the record time of the log's last entry. */
export function exportState(
  state: SqliteState,
  history: CarriedHistory,
  endedAt: Time = state.head.recordTime,
): Generator<string> {
  return draftParts(listItems(state, history, endedAt));
}

function* listItems(
  state: SqliteState,
  { rounds, rewards }: CarriedHistory,
  endedAt: Time,
): Generator<CarriedItem> {
  yield* listMembers(state);
  yield* listHostings(state);
  yield* listTraffic(state);
  yield* listAccepted(state, endedAt);
  for (const round of rounds()) yield { kind: "round", round };
  for (const reward of rewards()) yield { kind: "reward", reward };
  yield* listContracts(state);
}

/** All but the SVs, which stand in the entry before the parts. */
function* listMembers({ database, network }: SqliteState): Generator<CarriedItem> {
  const svs = new Set(network?.svs);
  for (const row of new CheckedRows(database, "member").list("order by id")) {
    const member = parseJson(row["body"] as string) as Member;
    if (!svs.has(member.id)) yield { kind: "member", member };
  }
}

function* listHostings({ database }: SqliteState): Generator<CarriedItem> {
  for (const row of new CheckedRows(database, "hosting").list("order by party"))
    yield { kind: "hosting", hosting: readHosting(row) };
}

function* listTraffic({ database }: SqliteState): Generator<CarriedItem> {
  for (const row of new CheckedRows(database, "traffic").list("order by id"))
    yield { kind: "traffic", account: parseJson(row["body"] as string) as TrafficAccount };
}

/** Only those that still count: replicas remove others at different times. */
function* listAccepted({ database }: SqliteState, endedAt: Time): Generator<CarriedItem> {
  const first = (endedAt - MAX_DEDUPLICATION_PERIOD) as Time;
  for (const [key, command] of listCommands(database, first)) yield { kind: "command", key, command };
}

function* listContracts(state: SqliteState): Generator<CarriedItem> {
  const { database } = state;
  // The order of a million ids does not belong in memory.
  state.sortOnDisk();
  const places = FIRST_KINDS.map((_, i) => `when ? then ${i}`).join(" ");
  const order = database.prepare(
    "select contract_id, name from active_contract " +
      `order by case name ${places} else ${FIRST_KINDS.length} end, created_at, contract_id`,
  );
  const select = database.prepare("select payload, created_at from active_contract where contract_id = ?");
  for (const { contract_id, name } of order.iterate(...FIRST_KINDS)) {
    const row = select.get(contract_id as string);
    if (row === undefined) throw new Error(`contract ${contract_id} went while the state was exported`);
    const contract = {
      contractId: contract_id as ContractId,
      templateId: name as string,
      payload: row["payload"] as string,
      createdAt: row["created_at"] as Time,
    };
    yield { kind: "contract", contract };
  }
}
