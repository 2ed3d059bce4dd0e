/**
 * Coupons of the development fund and how each ended, for the manager who gave it and for its beneficiary. Both see the
 * choice that ended a coupon, and not the transaction around it: a coupon that was archived by none of its own choices was
 * minted.
 */
import type { CreatedEvent, EndedFundCoupon, ExercisedEvent, Transaction } from "@callsign/api";
import {
  DevelopmentFundCoupon,
  formatDecimal,
  formatInstant,
  ledgerJson,
  parseTime,
  type Time,
} from "@callsign/ledger";
import type { Sql, SqlRow, SqlValue, Store } from "@callsign/node";
import { argumentOf, isOf } from "./event-values.ts";

export interface KnownFundCoupon {
  readonly payload: CreatedEvent["createArgument"];
  readonly createdAt: string;
}

export interface FundCouponEnding {
  readonly contractId: string;
  readonly status: EndedFundCoupon["status"];
  readonly reason: string | null;
  readonly archivedAt: Time;
  readonly offset: number;
  readonly nodeId: number;
}

export interface FundCouponQuery {
  readonly limit: number;
  /** The token of the page before; null for the first page. */
  readonly after: bigint | null;
}

export interface FundCouponPage {
  readonly items: EndedFundCoupon[];
  /** Null if the page is empty. */
  readonly nextPageToken: number | null;
}

export function deriveFundCouponEndings(update: Transaction): readonly FundCouponEnding[] {
  const archivedAt = readTime(update.effectiveAt);
  return update.events.flatMap((each) => {
    if (!("ExercisedEvent" in each)) return [];
    const { ExercisedEvent: event } = each;
    if (!event.consuming || !isOf(event, DevelopmentFundCoupon)) return [];
    const { contractId, nodeId } = event;
    return [{ ...decideEnding(event), contractId, nodeId, archivedAt, offset: update.offset }];
  });
}

function decideEnding(event: ExercisedEvent): Pick<FundCouponEnding, "status" | "reason"> {
  switch (event.choice) {
    case "DevelopmentFundCoupon_Withdraw":
      return { status: "withdrawn", reason: argumentOf(DevelopmentFundCoupon, event.choice, event).reason };
    case "DevelopmentFundCoupon_Reject":
      return { status: "rejected", reason: argumentOf(DevelopmentFundCoupon, event.choice, event).reason };
    case "DevelopmentFundCoupon_DsoExpire":
      return { status: "expired", reason: null };
    default:
      return { status: "claimed", reason: null };
  }
}

export async function insertFundCoupons(
  sql: Sql,
  coupons: ReadonlyMap<string, KnownFundCoupon>,
): Promise<void> {
  for (const [contractId, { payload, createdAt }] of coupons) {
    const { beneficiary, fundManager } = DevelopmentFundCoupon.record.fromJson(payload, ledgerJson);
    await sql.run(
      `insert into fund_coupons (contract_id, beneficiary, fund_manager, payload, created_at)
       values ($1, $2, $3, $4, $5) on conflict (contract_id) do nothing`,
      contractId,
      beneficiary,
      fundManager,
      JSON.stringify(payload),
      createdAt,
    );
  }
}

/** Coupons of another DSO have no row. */
export async function endFundCoupons(sql: Sql, endings: readonly FundCouponEnding[]): Promise<void> {
  for (const { contractId, status, reason, archivedAt, offset, nodeId } of endings)
    await sql.run(
      `update fund_coupons set status = $1, ending_reason = $2, archived_at = $3, ledger_offset = $4, place = $5
       where contract_id = $6`,
      status,
      reason,
      archivedAt,
      BigInt(offset),
      placeOf(offset, nodeId),
      contractId,
    );
}

/** Undoes the ends of coupons behind that offset of the ledger. */
export async function reviveFundCoupons(sql: Sql, end: number): Promise<void> {
  await sql.run(
    `update fund_coupons set status = null, ending_reason = null, archived_at = null, ledger_offset = null,
       place = null where ledger_offset > $1`,
    BigInt(end),
  );
}

/** Ended coupons, the last to end first: those behind the coupon of the given token, and none if there is no such coupon. */
export async function listEndedFundCoupons(
  store: Store,
  party: string,
  { limit, after }: FundCouponQuery,
): Promise<FundCouponPage> {
  const where = ["(beneficiary = $1 or fund_manager = $1)", "place is not null"];
  const parameters: SqlValue[] = [party];
  if (after !== null) {
    const last = await store.get(
      "select archived_at from fund_coupons where (beneficiary = $1 or fund_manager = $1) and place = $2",
      party,
      after,
    );
    if (last === undefined) return { items: [], nextPageToken: null };
    where.push("(archived_at, place) < ($2, $3)");
    parameters.push(last["archived_at"] ?? null, after);
  }
  const rows = await store.all(
    `select * from fund_coupons where ${where.join(" and ")}
     order by archived_at desc, place desc limit $${parameters.length + 1}`,
    ...parameters,
    BigInt(limit),
  );
  const last = rows.at(-1);
  return {
    items: rows.map(formatEnded),
    nextPageToken: last === undefined ? null : Number(last["place"]),
  };
}

function formatEnded(row: SqlRow): EndedFundCoupon {
  const coupon = DevelopmentFundCoupon.record.fromJson(JSON.parse(String(row["payload"])), ledgerJson);
  const reason = row["ending_reason"];
  return {
    createdAt: formatInstant(readTime(String(row["created_at"]))),
    archivedAt: formatInstant(row["archived_at"] as Time),
    beneficiary: coupon.beneficiary,
    fund_manager: coupon.fundManager,
    amount: formatDecimal(coupon.amount),
    expiresAt: formatInstant(coupon.expiresAt),
    reason: coupon.reason,
    status: String(row["status"]) as EndedFundCoupon["status"],
    rejection_or_withdrawal_reason: typeof reason === "string" ? reason : null,
  };
}

/** A page's token. A transaction has far fewer nodes than this. */
function placeOf(offset: number, nodeId: number): bigint {
  return BigInt(offset) * 2n ** 20n + BigInt(nodeId);
}

function readTime(text: string): Time {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.error);
  return time.value;
}
