// The cost of an automation's query grows with its result, however many names, wallets and strangers' contracts there
// are: the database's query plans show it.

import { TransferOffer } from "@callsign/ledger";
import { openDatabase, openSqliteStore, type SqlValue, type Store } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { AutomationReads } from "./automation-reads.ts";
import { walletMigrations } from "./wallet-migrations.ts";

const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
afterAll(() => store.close());

/** The query plan of each statement. */
async function plansOf(ask: (reads: AutomationReads) => Promise<unknown>): Promise<readonly string[]> {
  const plans: string[] = [];
  const explain = async (statement: string, ...parameters: readonly SqlValue[]) => {
    for (const row of await store.all(`explain query plan ${statement}`, ...parameters))
      plans.push(String(row["detail"]));
  };
  const explained: Store = {
    ...store,
    all: async (statement, ...parameters) => {
      await explain(statement, ...parameters);
      return store.all(statement, ...parameters);
    },
    get: async (statement, ...parameters) => {
      await explain(statement, ...parameters);
      return store.get(statement, ...parameters);
    },
  };
  await ask(new AutomationReads(explained));
  return plans.filter((plan) => /^(SCAN|SEARCH)/.test(plan));
}

test.each<[string, (reads: AutomationReads) => Promise<unknown>, readonly string[]]>([
  [
    "subscriptions to be paid",
    (reads) => reads.listPayable(1n, "00"),
    ["SEARCH contracts USING INDEX contracts_by_payment (payable_from>? AND payable_from<?)"],
  ],
  [
    "the next that may be paid",
    (reads) => reads.nextPayableAt(1n),
    ["SEARCH contracts USING COVERING INDEX contracts_by_payment (payable_from>?)"],
  ],
  [
    "wallets without a right: one look-up for each",
    (reads) => reads.listWithoutRight("validator", ""),
    [
      "SEARCH i USING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH r USING INDEX contracts_by_owner (owner=? AND template=?)",
    ],
  ],
  [
    "proposals that wait: one look-up for each wallet, whatever strangers propose",
    (reads) => reads.listWantedProposals("validator", ""),
    [
      "SEARCH i USING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH a USING COVERING INDEX contracts_by_owner (owner=? AND template=?)",
      "SEARCH p USING INDEX contracts_by_owner (owner=? AND template=?)",
    ],
  ],
  [
    "what has had its time",
    (reads) => reads.listDue([TransferOffer], 1n, ""),
    [
      "SEARCH d USING INDEX deadlines_by_time (template=? AND due_at<?)",
      "SEARCH c USING INDEX sqlite_autoindex_contracts_1 (contract_id=?)",
    ],
  ],
])("%s", async (_, ask, steps) => {
  expect(await plansOf(ask)).toEqual(steps);
});
