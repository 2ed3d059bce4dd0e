/** The state in numbers, for an operator to compare before and after a migration. */
import {
  Amulet,
  AnsEntry,
  type Decimal,
  LockedAmulet,
  SubscriptionIdleState,
  ValidatorLicense,
} from "@callsign/ledger";
import type { SqliteState } from "@callsign/synchronizer";
import { coinOf } from "../agenda/agenda-coins.ts";

export interface StateCounts {
  readonly contracts: number;
  readonly members: number;
  readonly parties: number;
  readonly names: number;
  readonly subscriptions: number;
  readonly licenses: number;
  /** The initial amounts of all coins, free and locked. */
  readonly coin: Decimal;
  readonly lockedCoin: Decimal;
}

export function countState({ database }: SqliteState): StateCounts {
  const count = (sql: string, ...values: readonly string[]) =>
    Number(database.prepare(`select count(*) as number from ${sql}`).get(...values)?.["number"]);
  const countOf = ({ id }: { readonly id: string }) => count("active_contract where name = ?", id);
  return {
    contracts: count("contract"),
    members: count("member"),
    parties: count("hosting"),
    names: countOf(AnsEntry),
    subscriptions: countOf(SubscriptionIdleState),
    licenses: countOf(ValidatorLicense),
    coin: sumCoin(database, Amulet),
    lockedCoin: sumCoin(database, LockedAmulet),
  };
}

/** Row by row: there may be millions. */
function sumCoin(database: SqliteState["database"], template: typeof Amulet | typeof LockedAmulet): Decimal {
  const select = database.prepare("select payload from active_contract where name = ?");
  let sum = 0n;
  for (const { payload } of select.iterate(template.id)) {
    const value = template.record.decode(JSON.parse(payload as string));
    sum += coinOf(template.id, value).amount.initialAmount;
  }
  return sum as Decimal;
}
