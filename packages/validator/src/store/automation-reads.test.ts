// The cost of an automation's query grows with its result, however many names, wallets and strangers' contracts there
// are, and that of a contract sought by a rare key with those that have it: the database's query plans show it.

import { AnsEntryContext, TransferOffer } from "@callsign/ledger";
import { openDatabase, openSqliteStore, type SqlValue, type Store } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { DUE_PAGE } from "../limits/limits.ts";
import { AutomationReads, payableOf } from "./automation-reads.ts";
import { walletMigrations } from "./wallet-migrations.ts";
import { type ContractQuery, WalletStore } from "./wallet-store.ts";

const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
afterAll(() => store.close());

/** The query plan of each statement. */
async function plansOf(ask: (explained: Store) => Promise<unknown>): Promise<readonly string[]> {
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
  await ask(explained);
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
    "offers of trusted senders, whatever strangers offer",
    (reads) => reads.listOffersTo("receiver", ["alice", "bob"], 1n),
    [
      "SEARCH c USING INDEX contracts_by_owner (owner=? AND template=?)",
      "SEARCH d USING INDEX sqlite_autoindex_deadlines_1 (contract_id=?)",
    ],
  ],
  [
    "entries that lapse: a few look-ups for each that ends in the span",
    (reads) => reads.countLapses({ validator: "validator", after: 1n, until: 2n }),
    [
      "SEARCH d USING INDEX deadlines_by_time (template=? AND due_at>? AND due_at<?)",
      "SEARCH e USING INDEX sqlite_autoindex_contracts_1 (contract_id=?)",
      "SEARCH i EXISTS USING INDEX contracts_by_owner (owner=? AND template=?)",
      "SEARCH x USING INDEX contracts_by_name (name=? AND template=?)",
      "SEARCH s USING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH p USING COVERING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH x USING INDEX contracts_by_name (name=? AND template=?)",
      "SEARCH r USING INDEX contracts_by_link (link=? AND template=?)",
    ],
  ],
  [
    "wallets without a right: one look-up for each",
    (reads) => reads.listWithoutRight("validator"),
    [
      "SEARCH i USING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH r USING INDEX contracts_by_owner (owner=? AND template=?)",
    ],
  ],
  [
    "parties whose proposals wait: look-ups for each wallet, whatever strangers propose",
    (reads) => reads.listProposers("validator"),
    [
      "SEARCH i USING INDEX contracts_by_link (link=? AND template=?)",
      "SEARCH a USING COVERING INDEX contracts_by_owner (owner=? AND template=?)",
      "SEARCH p EXISTS USING INDEX contracts_by_owner (owner=? AND template=?)",
    ],
  ],
  [
    "the proposals of a party",
    (reads) => reads.listWantedProposals("validator", "alice"),
    [
      "SEARCH i EXISTS USING INDEX contracts_by_owner (owner=? AND template=?)",
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
  expect(await plansOf((explained) => ask(new AutomationReads(explained)))).toEqual(steps);
});

test("of the subscriptions to be paid, those that end first come first, page by page", async () => {
  const insert = (id: string, from: bigint, until: bigint) =>
    store.run(
      `insert into contracts (contract_id, template, template_id, owner, link, name, payable_from, payable_until, payload, blob,
         created_at, arrival, node)
       values ($1, 'SubscriptionIdleState', '', 'alice', '', '', $2, $3, '', '', '', 1, 1)`,
      ...[id, from, until],
    );
  const count = DUE_PAGE + 500;
  // Three end at the same time: the first page ends between two of them.
  const endOf = (i: number) => BigInt(100 + Math.floor(i / 3));
  const ends = Array.from({ length: count }, (_, i) => [`00${9999 - i}`, endOf(i)] as const);
  for (const [id, until] of ends) await insert(id, 10n, until);
  await insert("00early", 60n, 1000n);
  await insert("00ended", 10n, 50n);
  const reads = new AutomationReads(store);
  const listed: string[] = [];
  for (let last: string | undefined = ""; last !== undefined; ) {
    const page = await reads.listPayable(50n, last);
    listed.push(...page.map(({ task }) => payableOf(task)));
    last = page.at(-1)?.task;
  }
  const order = [...ends].sort(([a, x], [b, y]) => Number(x - y) || (a < b ? -1 : 1));
  expect(listed).toEqual(order.map(([id]) => id));
});

test.each<[string, ContractQuery, string]>([
  [
    "by another one's id, however many the owner has",
    { reference: "00" },
    "contracts_by_link (link=? AND template=?)",
  ],
  [
    "by an entry's name, however many the owner has",
    { entry: "a.cns" },
    "contracts_by_name (name=? AND template=?)",
  ],
  [
    "of one wallet, however many have the link",
    { link: "validator" },
    "contracts_by_owner (owner=? AND template=?)",
  ],
])("contracts are found %s", async (_, sought, index) => {
  const plans = await plansOf((explained) =>
    new WalletStore(explained).list(AnsEntryContext, { owner: "alice", ...sought }),
  );
  expect(plans[0]).toBe(`SEARCH contracts USING INDEX ${index}`);
});
