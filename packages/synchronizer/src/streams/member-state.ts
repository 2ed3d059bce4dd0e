/**
 * The present state of a member's parties, page by page. Contracts have no index by stakeholder: a page looks through a bounded
 * number of them, and may be empty. Pages of different moments do not show one state: their reader follows the stream from
 * before the first page on.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { HeldContracts } from "@callsign/api";
import {
  type Contract,
  type ContractId,
  decodeContract,
  networkCatalogue,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import { STATE_PAGE_CHARACTERS, STATE_PAGE_CONTRACTS, STATE_PAGE_PARTIES } from "../limits/limits.ts";
import type { SqliteState } from "../replica/sqlite-state.ts";

export class MemberState {
  readonly #state: SqliteState;
  readonly #parties: StatementSync;
  readonly #contracts: StatementSync;

  constructor(database: DatabaseSync, state: SqliteState) {
    this.#state = state;
    this.#parties = database.prepare(
      "select party from stream_hosting where member = ? and party > ? order by party limit +?",
    );
    this.#contracts = database.prepare(
      "select contract_id, payload, created_at, name from active_contract " +
        "where contract_id > ? order by contract_id limit +?",
    );
  }

  listParties(member: string, after: string): { readonly parties: string[]; readonly next: string | null } {
    const rows = this.#parties.all(member, after, STATE_PAGE_PARTIES);
    const parties = rows.map((row) => row["party"] as string);
    return { parties, next: parties.length < STATE_PAGE_PARTIES ? null : (parties.at(-1) ?? null) };
  }

  listContracts(member: string, after: string): HeldContracts {
    const contracts: HeldContracts["contracts"] = [];
    let seen = 0;
    let characters = 0;
    let last = after;
    this.#state.flush();
    for (const row of this.#contracts.iterate(after, STATE_PAGE_CONTRACTS)) {
      const contract: Contract = {
        contractId: row["contract_id"] as ContractId,
        templateId: row["name"] as string,
        payload: row["payload"] as string,
        createdAt: row["created_at"] as Time,
      };
      seen++;
      last = contract.contractId;
      const { signatories, observers } = decodeContract(networkCatalogue, contract);
      if (![...signatories, ...observers].some((party) => this.#isHost(party, member))) continue;
      contracts.push({ ...contract, createdAt: `${contract.createdAt}` });
      characters += contract.payload.length;
      if (characters >= STATE_PAGE_CHARACTERS) return { contracts, next: last };
    }
    return { contracts, next: seen < STATE_PAGE_CONTRACTS ? null : last };
  }

  #isHost(party: PartyId, member: string): boolean {
    return this.#state.findHosting(party)?.hosts.includes(member) ?? false;
  }
}
