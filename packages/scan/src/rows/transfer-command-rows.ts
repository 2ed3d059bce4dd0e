/** Transfer commands by sender and number, and how each ended. Rows of ended commands are deleted after 30 days. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { type Contract, type PartyId, type Time, TransferCommand } from "@callsign/ledger";
import type { ReplicaChange } from "@callsign/synchronizer";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { type CommandEnd, listCommandEnds } from "../contracts/transfer-commands.ts";
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

export interface KnownCommand extends CurrentContract<typeof TransferCommand> {
  /** Null while it waits. */
  readonly end: CommandEnd | null;
}

export function openTransferCommandRows(database: DatabaseSync) {
  const insert = database.prepare(
    "insert into transfer_command (sender, nonce, created_at, contract_id, payload) values (?, ?, ?, ?, ?) " +
      "on conflict do nothing",
  );
  const end = database.prepare(
    "update transfer_command set outcome = ?, reason = ?, ended_at = ? where contract_id = ?",
  );
  const forget = database.prepare("delete from transfer_command where ended_at is not null and ended_at < ?");
  const select = database.prepare(
    "select * from transfer_command where sender = ? and nonce = ? " +
      `order by created_at desc, contract_id limit ${MAX_LISTED_COMMANDS}`,
  );
  const add = (contract: Contract, value: unknown, dso: PartyId) => {
    const command = value as TransferCommand;
    if (command.dso !== dso) return;
    const { createdAt, contractId, payload } = contract;
    insert.run(command.sender, command.nonce, createdAt, contractId, payload);
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
      for (const { contractId, outcome: kind, reason } of ends) end.run(kind, reason, now, contractId);
      if (ends.length > 0) forget.run(now - ENDED_COMMANDS_KEPT_MICROSECONDS);
    },
  };
}

function read(row: Record<string, SQLOutputValue>): KnownCommand {
  const outcome = row["outcome"] as CommandEnd["outcome"] | null;
  return {
    ...readCurrentRow(TransferCommand, row),
    end: outcome === null ? null : { outcome, reason: row["reason"] as string | null },
  };
}
