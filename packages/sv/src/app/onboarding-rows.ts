/**
 * The state of an SV's onboarding secrets, as its replica has it. A secret itself is only in the ledger's
 * contract, as long as that is active; here its hash stands for it. Expired secrets stay visible until there are many.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  type Contract,
  type ContractId,
  type PartyId,
  type Time,
  UsedSecret,
  ValidatorOnboarding,
} from "@callsign/ledger";
import { CheckedRows, type CheckedTable, type Row, type SummedDatabase } from "@callsign/synchronizer";
import { MAX_EXPIRED_SECRETS } from "../limits/limits.ts";
import { hashSecret, parseSecret } from "./onboarding-secret.ts";

/** An index from before numbered migrations has these tables already. */
export const ONBOARDINGS_SCHEMA = `
  create table if not exists sv_onboarding (
    created integer primary key,
    contract_id text not null unique,
    secret_hash text not null,
    party_hint text,
    made_at integer not null,
    expires_at integer not null,
    state text not null check (state in ('unused', 'used', 'expired')),
    used_at integer,
    used_by text
  ) strict;
  create index if not exists sv_onboarding_secret on sv_onboarding (secret_hash);
  create index if not exists sv_onboarding_open on sv_onboarding (expires_at) where state = 'unused';
  create index if not exists sv_onboarding_state on sv_onboarding (state, created);
`;

/** The SV that a secret is of. Rows of earlier releases have none: their store is of one SV alone. */
export const ONBOARDING_SV = "alter table sv_onboarding add column sv text;";

/** The rows of earlier releases. */
export const FORMER_ONBOARDING_ROWS = {
  table: "sv_onboarding",
  columns: [
    ...(["created", "contract_id", "secret_hash", "party_hint", "made_at"] as const),
    ...(["expires_at", "state", "used_at", "used_by"] as const),
  ],
} as const satisfies CheckedTable;

export const ONBOARDING_ROWS = {
  table: "sv_onboarding",
  columns: [...FORMER_ONBOARDING_ROWS.columns, "sv"],
  added: 1,
} as const satisfies CheckedTable;

export type OnboardingState = "unused" | "used" | "expired";

export interface OnboardingRow {
  /** Larger than those of all that were made before. */
  readonly created: bigint;
  readonly contractId: ContractId;
  readonly secretHash: string;
  readonly partyHint: string | null;
  readonly madeAt: Time;
  readonly expiresAt: Time;
  readonly state: OnboardingState;
  readonly usedAt: Time | null;
  readonly usedBy: PartyId | null;
}

export class OnboardingRows {
  readonly #sv: PartyId;
  readonly #sql: ReturnType<typeof prepare>;
  /** The number of expired secrets: counting them each time would cost more than all the rest. */
  #expired = 0;
  /** The first moment at which an open one expires, null if there is none; undefined if it has to be read. */
  #firstExpiry: Time | null | undefined;

  constructor(state: SummedDatabase, sv: PartyId) {
    this.#sv = sv;
    this.#sql = prepare(state);
    this.reload();
  }

  /** After a transaction that was given up. */
  reload(): void {
    this.#expired = Number(this.#sql.countOf.get(this.#sv, "expired")?.["count"] ?? 0);
    this.#firstExpiry = undefined;
  }

  /** Takes in a secret of the SV. */
  insert({ contractId, payload, createdAt }: Contract, created: bigint): void {
    const { sv, candidateSecret, expiresAt } = ValidatorOnboarding.record.decode(JSON.parse(payload));
    const secret = parseSecret(candidateSecret, sv);
    if (this.#isKnown(created, contractId)) return;
    const row = [created, contractId, hashSecret(secret), secret.partyHint ?? null] as const;
    this.#sql.rows.insert(...row, createdAt, expiresAt, "unused", null, null, this.#sv);
    this.#firstExpiry = undefined;
  }

  #isKnown(created: bigint, contractId: ContractId): boolean {
    const { rows, ofContract } = this.#sql;
    return rows.find(created) !== undefined || ofContract.get(contractId) !== undefined;
  }

  /** Takes in that a secret was used; its contract is among those that ended with it. */
  use({ contractId, payload, createdAt }: Contract, created: bigint, ended: readonly ContractId[]): void {
    const { sv, secret: stored, validator } = UsedSecret.record.decode(JSON.parse(payload));
    const secret = parseSecret(stored, sv);
    const secretHash = hashSecret(secret);
    for (const each of ended) {
      const row = this.#sql.ofContract.get(each);
      if (row?.["secret_hash"] === secretHash && this.#isOwn(row))
        this.#sql.rows.change(row, { state: "used", used_at: createdAt, used_by: validator });
    }
    this.#firstExpiry = undefined;
    if (this.findBySecret(secretHash)?.state === "used") return;
    // Used before these rows were kept: when it was made is no longer known.
    if (this.#isKnown(created, contractId)) return;
    const row = [created, contractId, secretHash, secret.partyHint ?? null, createdAt, createdAt] as const;
    this.#sql.rows.insert(...row, "used", createdAt, validator, this.#sv);
  }

  /** Archived; unless it was used in the same transaction, it has expired or was withdrawn. */
  end(contractId: ContractId): void {
    const row = this.#sql.ofContract.get(contractId);
    if (row?.["state"] !== "unused" || !this.#isOwn(row)) return;
    this.#sql.rows.change(row, { state: "expired" });
    this.#firstExpiry = undefined;
    this.#expired++;
    for (; this.#expired > MAX_EXPIRED_SECRETS; this.#expired--) this.#sql.forgetOldest(this.#sv);
  }

  #isOwn({ sv }: Row): boolean {
    return sv === null || sv === this.#sv;
  }

  /** An SV that was not sure may have put a secret on the ledger twice: once used, it is used. */
  findBySecret(secretHash: string): OnboardingRow | undefined {
    const row = this.#sql.find.get(this.#sv, secretHash);
    return row === undefined ? undefined : read(row);
  }

  /** Secrets whose contracts are active: unused, and not archived by the expiry. */
  listOpen(limit: number): readonly OnboardingRow[] {
    return this.listExpired(END as Time, limit);
  }

  /** Open secrets whose time is over then. */
  listExpired(now: Time, limit: number): readonly OnboardingRow[] {
    const first = this.#findFirstExpiry();
    if (first === null || first > now) return [];
    return this.#sql.open.all(this.#sv, now, limit).map(read);
  }

  countOpen(): number {
    return Number(this.#sql.countOf.get(this.#sv, "unused")?.["count"] ?? 0);
  }

  /** Newest first. */
  list(page: OnboardingPage): readonly OnboardingRow[] {
    const { state, limit, now, before: given } = page;
    const before = given ?? END;
    if (state === null) return this.#sql.list.all(this.#sv, before, limit).map(read);
    return this.#sql.listOfState.all(this.#sv, now, state, before, limit).map(read);
  }

  /** The first moment after that one at which an open one expires; null if there is none. */
  nextExpiry(after: Time): Time | null {
    const first = this.#findFirstExpiry();
    if (first === null || first > after) return first;
    return (this.#sql.next.get(this.#sv, after)?.["at"] ?? null) as Time | null;
  }

  #findFirstExpiry(): Time | null {
    if (this.#firstExpiry === undefined)
      this.#firstExpiry = (this.#sql.next.get(this.#sv, BEGINNING)?.["at"] ?? null) as Time | null;
    return this.#firstExpiry;
  }
}

/** The SVs that have rows here, of those that their rows name. */
export function listOnboardingSvs(database: DatabaseSync): readonly PartyId[] {
  const select = database.prepare("select distinct sv from sv_onboarding where sv is not null");
  return select.all().map(({ sv }) => sv as PartyId);
}

/** After all that there are, and before all. */
const END = 2n ** 62n;
const BEGINNING = -END;

export interface OnboardingPage {
  /** One whose time is over by now counts as expired, also before its contract is thrown away. */
  readonly now: Time;
  readonly state: OnboardingState | null;
  readonly before: bigint | null;
  readonly limit: number;
}

function prepare({ database, sums }: SummedDatabase) {
  const rows = new CheckedRows(database, ONBOARDING_ROWS, sums);
  const ofSv = "(sv is null or sv = ?)";
  return {
    rows,
    ofContract: rows.query("where contract_id = ?"),
    forgetOldest: rows.deletion(
      `where created = (select min(created) from sv_onboarding where ${ofSv} and state = 'expired')`,
    ),
    find: rows.query(`where ${ofSv} and secret_hash = ? order by state = 'used' desc, created desc limit 1`),
    open: rows.query(`where ${ofSv} and state = 'unused' and expires_at <= ? order by expires_at limit +?`),
    countOf: database.prepare(`select count(*) as count from sv_onboarding where ${ofSv} and state = ?`),
    list: rows.query(`where ${ofSv} and created < ? order by created desc limit +?`),
    listOfState: rows.query(
      `where ${ofSv} and (case when state = 'unused' and expires_at <= ? then 'expired' else state end) = ? ` +
        "and created < ? order by created desc limit +?",
    ),
    next: database.prepare(
      `select min(expires_at) as at from sv_onboarding where ${ofSv} and state = 'unused' and expires_at > ?`,
    ),
  };
}

function read(row: Row): OnboardingRow {
  return {
    created: row["created"] as bigint,
    contractId: row["contract_id"] as ContractId,
    secretHash: row["secret_hash"] as string,
    partyHint: row["party_hint"] as string | null,
    madeAt: row["made_at"] as Time,
    expiresAt: row["expires_at"] as Time,
    state: row["state"] as OnboardingState,
    usedAt: row["used_at"] as Time | null,
    usedBy: row["used_by"] as PartyId | null,
  };
}
