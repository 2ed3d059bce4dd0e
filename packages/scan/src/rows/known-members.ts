/**
 * The network's members, the traffic they bought and the parties they host. These are the replica's own
 * rows: keeping them twice would cost a write for every entry.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { PartyId, TrafficAccount } from "@callsign/ledger";
import { parseJson } from "@callsign/node";

/** In bytes, without the free allowance. */
export type BoughtTraffic = Pick<TrafficAccount, "purchased" | "consumed">;

export class KnownMembers {
  readonly #member: StatementSync;
  readonly #traffic: StatementSync;
  readonly #hosting: StatementSync;

  constructor(database: DatabaseSync) {
    this.#member = database.prepare("select 1 from member where id = ?");
    this.#traffic = database.prepare("select body from traffic where id = ?");
    this.#hosting = database.prepare("select hosts from hosting where party = ?");
  }

  /** Undefined for an unknown member. A member that never had to pay has bought and used nothing. */
  findTraffic(member: string): BoughtTraffic | undefined {
    const row = this.#traffic.get(member);
    if (row !== undefined) return parseJson(row["body"] as string) as TrafficAccount;
    return this.#member.get(member) === undefined ? undefined : { purchased: 0n, consumed: 0n };
  }

  /** The members that host the party; none for an unknown party. */
  listHosts(party: PartyId): readonly string[] {
    const row = this.#hosting.get(party);
    return row === undefined ? [] : (row["hosts"] as string).split(" ");
  }
}
