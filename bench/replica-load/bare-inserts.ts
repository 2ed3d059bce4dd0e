/** The rows that a transfer writes, inserted into the same tables and nothing else done. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction, sha256 } from "@callsign/node";
import { BATCH } from "../ledger-log/cut-into-batches.ts";
import { openReplicaFile } from "./benchmark-replica.ts";

/** As long as what a transfer writes. */
const STREAM_ENTRIES = new Uint8Array(2000);
/** Entries of the streams that share a row. */
const ENTRIES_OF_ROW = 6;
const PAYLOAD = new Uint8Array(80);
const SUBMISSION_IDS = new Uint8Array(17);
const COMMAND_IDS = new Uint8Array(45);

export class BareInserts {
  readonly #database: DatabaseSync;
  #inserted = 0;

  constructor(folder: string) {
    copyFileSync(join(folder, "replica.db"), join(folder, "bare.db"));
    this.#database = openReplicaFile(folder, "bare.db");
  }

  insert(transfers: number): void {
    const contract = this.#database.prepare(
      "insert into contract (contract_id, template_id, created_at, body) values (?, 1, 0, ?)",
    );
    const body = this.#database.prepare("insert into contract_body (packed) values (?)");
    const entry = this.#database.prepare("insert into stream_entry values (-?, 0, ?)");
    const item = this.#database.prepare("insert into stream_item values (0, ?, ?, unhex(?), null, null)");
    const submission = this.#database.prepare("insert into submission values ('', ?, ?, 0, 1, ?)");
    const command = this.#database.prepare("insert into command values ('', '', ?, ?, 0, 1, ?)");
    for (let i = 0; i < transfers; i += BATCH) {
      inTransaction(this.#database, () => {
        for (let j = 0; j < BATCH; j++) {
          const number = ++this.#inserted;
          const hash = sha256(`bare ${number}`);
          for (const first of ["00", "01"])
            contract.run(`${first}${hash}${hash}`, body.run(PAYLOAD).lastInsertRowid);
          if (number % ENTRIES_OF_ROW === 0) entry.run(number, STREAM_ENTRIES);
          item.run(number, number, hash);
          const keyHash = Number.parseInt(hash.slice(0, 12), 16);
          submission.run(number, keyHash, SUBMISSION_IDS);
          command.run(number, keyHash, COMMAND_IDS);
        }
      });
    }
  }

  close(): void {
    this.#database.close();
  }
}
