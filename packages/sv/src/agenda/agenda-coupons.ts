/**
 * The coupons of each round, with their totals kept as they come and go: what a round's coupons add up to is one
 * look-up, however many there are, and those of a closed round are found in the order of the log.
 */
import type { StatementSync } from "node:sqlite";
import {
  AppRewardCoupon,
  type ContractId,
  type PayloadOf,
  SvRewardCoupon,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
} from "@callsign/ledger";
import { CheckedRows, type CheckedTable, type Row, type SummedDatabase } from "@callsign/synchronizer";
import { contractKey } from "../kinds/keys.ts";

/** A kind's number in the rows is its place here: new ones go to the end. */
const KINDS = ["featuredApp", "unfeaturedApp", "validator", "sv", "liveness", "faucet"] as const;

export type CouponKind = (typeof KINDS)[number];

export const COUPON_TEMPLATES = [
  AppRewardCoupon,
  ValidatorRewardCoupon,
  SvRewardCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorFaucetCoupon,
] as const;

const TEMPLATES: ReadonlySet<string> = new Set(COUPON_TEMPLATES.map(({ id }) => id));

export function isCoupon(templateId: string): boolean {
  return TEMPLATES.has(templateId);
}

/** Amounts may be larger than the integers of the database, and are text there. */
export const COUPONS_SCHEMA = `
  create table sv_coupon (
    created integer primary key,
    contract_key integer not null,
    contract_id text not null,
    round integer not null,
    kind integer not null,
    amount text not null
  ) strict;
  create index sv_coupon_contract on sv_coupon (contract_key);
  create index sv_coupon_round on sv_coupon (round, kind, created);
  create table sv_coupon_total (
    round integer not null,
    kind integer not null,
    coupons integer not null,
    amount text not null,
    primary key (round, kind)
  ) strict, without rowid;
`;

export const COUPON_TOTALS = {
  table: "sv_coupon_total",
  columns: ["round", "kind", "coupons", "amount"],
  key: ["round", "kind"],
} as const satisfies CheckedTable;

export interface CouponTotal {
  readonly count: bigint;
  /** The sum of amounts, or of weights. */
  readonly amount: bigint;
}

const NOTHING: CouponTotal = { count: 0n, amount: 0n };

export class AgendaCoupons {
  readonly #insert: StatementSync;
  readonly #remove: StatementSync;
  readonly #list: StatementSync;
  readonly #totals: CheckedRows;
  readonly #removeTotal: ReturnType<CheckedRows["deletion"]>;

  constructor({ database, sums }: SummedDatabase) {
    this.#insert = database.prepare("insert into sv_coupon values (?, ?, ?, ?, ?, ?)");
    this.#remove = database.prepare(
      "delete from sv_coupon where contract_key = ? and contract_id = ? returning round, kind, amount",
    );
    this.#list = database.prepare(
      "select contract_id from sv_coupon where round = ? and kind = ? order by created limit +?",
    );
    this.#totals = new CheckedRows(database, COUPON_TOTALS, sums);
    this.#removeTotal = this.#totals.deletion("where round = ? and kind = ?");
  }

  /** Returns the number of the coupon's round. */
  insert(created: bigint, contractId: ContractId, templateId: string, value: unknown): bigint {
    const { round, kind, amount } = contentOf(templateId, value);
    const number = BigInt(KINDS.indexOf(kind));
    this.#insert.run(created, contractKey(contractId), contractId, round, number, String(amount));
    this.#change(round, number, { count: 1n, amount });
    return round;
  }

  /** Returns the number of the coupon's round; null if it is not here. */
  remove(contractId: ContractId): bigint | null {
    const row = this.#remove.get(contractKey(contractId), contractId);
    if (row === undefined) return null;
    const round = row["round"] as bigint;
    const amount = BigInt(row["amount"] as string);
    this.#change(round, row["kind"] as bigint, { count: -1n, amount: -amount });
    return round;
  }

  total(round: bigint, kind: CouponKind): CouponTotal {
    return readTotal(this.#totals.find(round, BigInt(KINDS.indexOf(kind))));
  }

  /** In the order of the log. */
  list(round: bigint, kind: CouponKind, limit: number): readonly ContractId[] {
    const rows = this.#list.all(round, BigInt(KINDS.indexOf(kind)), limit);
    return rows.map((row) => row["contract_id"] as ContractId);
  }

  #change(round: bigint, kind: bigint, by: CouponTotal): void {
    const former = this.#totals.find(round, kind);
    const before = readTotal(former);
    const count = before.count + by.count;
    if (count === 0n) this.#removeTotal(round, kind);
    else this.#totals.replace(former, round, kind, count, String(before.amount + by.amount));
  }
}

function readTotal(row: Row | undefined): CouponTotal {
  if (row === undefined) return NOTHING;
  return { count: row["coupons"] as bigint, amount: BigInt(row["amount"] as string) };
}

interface CouponContent {
  readonly round: bigint;
  readonly kind: CouponKind;
  readonly amount: bigint;
}

function contentOf(templateId: string, value: unknown): CouponContent {
  switch (templateId) {
    case AppRewardCoupon.id: {
      const { round, featured, amount } = value as PayloadOf<typeof AppRewardCoupon>;
      return { round: round.number, kind: featured ? "featuredApp" : "unfeaturedApp", amount };
    }
    case ValidatorRewardCoupon.id: {
      const { round, amount } = value as PayloadOf<typeof ValidatorRewardCoupon>;
      return { round: round.number, kind: "validator", amount };
    }
    case SvRewardCoupon.id: {
      const { round, weight } = value as PayloadOf<typeof SvRewardCoupon>;
      return { round: round.number, kind: "sv", amount: weight };
    }
    default: {
      const { round } = value as PayloadOf<typeof ValidatorLivenessActivityRecord>;
      const kind = templateId === ValidatorFaucetCoupon.id ? "faucet" : "liveness";
      return { round: round.number, kind, amount: 0n };
    }
  }
}
