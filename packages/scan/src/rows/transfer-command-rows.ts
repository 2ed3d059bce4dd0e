/** Transfer commands by sender and number, and how each ended. Rows of ended commands are deleted after 30 days. */
import { type Contract, type PartyId, type Time, TransferCommand } from "@callsign/ledger";
import {
  CheckedRows,
  type CheckedTable,
  type ReplicaChange,
  type Row,
  type SummedDatabase,
} from "@callsign/synchronizer";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { type CommandEnd, type EndedCommand, listCommandEnds } from "../contracts/transfer-commands.ts";
import { ENDED_COMMANDS_KEPT_MICROSECONDS, MAX_LISTED_COMMANDS } from "../limits/limits.ts";
import { readCurrentRow } from "./current-contracts.ts";

export const COMMAND_TABLE = `
  create table transfer_command (
    sender text not null,
    nonce integer not null,
    created_at integer not null,
    contract_id text not null unique,
    payload text not null,
    outcome text,
    reason text,
    ended_at integer,
    primary key (sender, nonce, created_at, contract_id)
  ) strict, without rowid;
  create index transfer_command_ended on transfer_command (ended_at) where ended_at is not null;
`;

export const TRANSFER_COMMANDS = {
  table: "transfer_command",
  columns: ["sender", "nonce", "created_at", "contract_id", "payload", "outcome", "reason", "ended_at"],
  key: ["sender", "nonce", "created_at", "contract_id"],
} as const satisfies CheckedTable;

export interface KnownCommand extends CurrentContract<typeof TransferCommand> {
  /** Null while it waits. */
  readonly end: CommandEnd | null;
}

export function openTransferCommandRows({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, TRANSFER_COMMANDS, sums);
  const byId = rows.query("where contract_id = ?");
  const forget = rows.deletion("where ended_at is not null and ended_at < ?");
  const select = rows.query(
    `where sender = ? and nonce = ? order by created_at desc, contract_id limit ${MAX_LISTED_COMMANDS}`,
  );
  const add = (contract: Contract, value: unknown, dso: PartyId) => {
    const command = value as TransferCommand;
    if (command.dso !== dso) return;
    const { createdAt, contractId, payload } = contract;
    if (byId.get(contractId) !== undefined) return;
    rows.insert(command.sender, command.nonce, createdAt, contractId, payload, null, null, null);
  };
  const end = ({ contractId, outcome, reason }: EndedCommand, now: Time) => {
    const row = byId.get(contractId);
    if (row !== undefined) rows.change(row, { outcome, reason, ended_at: now });
  };
  return {
    /** Newest first. */
    find: (sender: string, nonce: bigint): readonly KnownCommand[] => select.all(sender, nonce).map(read),
    absorb: ({ created, outcome }: ReplicaChange, { dso, now }: { dso: PartyId; now: Time }) => {
      for (const { contract, value } of created) {
        if (contract.templateId === TransferCommand.id) add(contract, value, dso);
      }
      const verdict = outcome?.verdict;
      if (verdict?.kind !== "accepted" || verdict.transaction === null) return;
      // `created` lacks a command that the same transaction creates and ends.
      for (const node of verdict.transaction.nodes) {
        if (node.kind === "create" && node.contract.templateId === TransferCommand.id)
          add(node.contract, node.value, dso);
      }
      const ends = listCommandEnds(verdict.transaction);
      for (const each of ends) end(each, now);
      if (ends.length > 0) forget(now - ENDED_COMMANDS_KEPT_MICROSECONDS);
    },
  };
}

function read(row: Row): KnownCommand {
  const outcome = row["outcome"] as CommandEnd["outcome"] | null;
  return {
    ...readCurrentRow(TransferCommand, row),
    end: outcome === null ? null : { outcome, reason: row["reason"] as string | null },
  };
}
