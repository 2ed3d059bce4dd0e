/** A transaction's canonical text: what digests are taken over, so all that matters must be in it. */
import { describe, expect, test } from "vitest";
import { Asset, alice, bob, Iou, type Step } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { multihash } from "../values/hash.ts";
import { exerciseCommand } from "./command.ts";
import type { Transaction, TransactionNode } from "./transaction.ts";
import { formatTransaction } from "./transaction-text.ts";

test("a text names contracts by their ids, with what was asked, by whom, and what came of it", () => {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice], observers: [bob] });
  const steps: readonly Step[] = [{ do: "create", signatories: [alice], text: 'a "b"' }];
  const { transaction, results } = ledger.submit({
    commands: [usePaper(id, { actors: [bob], watchers: [alice], steps })],
    actAs: [bob],
    seed: "seed",
  });
  const [[made]] = results as [readonly [ContractId]];
  const given = `[{"do":"create","signatories":["${alice}"],"text":"a \\"b\\""}]`;
  expect(formatTransaction(transaction)).toBe(
    `["${multihash(sha256("transaction\nseed"))}","1767225600000000",[` +
      `["consume",1,"${id}",null,"Use",["${bob}"],["${alice}"],[["${bob}"],["${alice}"],${given}],["${made}"]],` +
      `["create","${made}"]` +
      "]]",
  );
});

test("the text of a transaction is JSON", () => {
  const ledger = new EngineLedger();
  const iou = ledger.create(Iou, { issuer: alice, owner: bob, amount: decimal("1.0") }, [alice]);
  const { transaction } = ledger.submit({
    commands: [
      exerciseCommand(Asset, iou, "Asset_Give", { newOwner: alice }),
      createPaper({ signatories: [bob], text: '\\ " \n \u2028 \u{1f600}' }),
    ],
    actAs: [bob],
  });
  const [updateId, ledgerTime, nodes] = JSON.parse(formatTransaction(transaction));
  expect({ updateId, ledgerTime }).toEqual({
    updateId: transaction.updateId,
    ledgerTime: `${transaction.ledgerTime}`,
  });
  const [given, made, paper] = nodes;
  expect(given.slice(0, 6)).toEqual(["consume", 1, iou, Asset.id, "Asset_Give", [bob]]);
  expect([made[0], paper[0]]).toEqual(["create", "create"]);
});

describe("two transactions have different texts if they differ in", () => {
  const ledger = new EngineLedger();
  const [a, b] = [ledger.paper({ signatories: [alice] }), ledger.paper({ signatories: [alice] })];
  const base = ledger.submit({
    commands: [
      runPaper(a, {
        actors: [alice],
        watchers: [bob],
        steps: [{ do: "create", signatories: [alice], observers: [bob] }],
      }),
      createPaper({ signatories: [alice] }),
    ],
    actAs: [alice],
  }).transaction;

  const withNode = (index: number, change: Partial<Record<string, unknown>>): Transaction => {
    const nodes = base.nodes.map((node, i) =>
      i === index ? ({ ...node, ...change } as TransactionNode) : node,
    );
    return { ...base, nodes };
  };
  const [, created] = base.nodes;
  const contract = created?.kind === "create" ? created.contract : undefined;

  test.each<[string, Transaction]>([
    ["the update id", { ...base, updateId: multihash(sha256("other")) }],
    ["the ledger time", { ...base, ledgerTime: (base.ledgerTime + 1n) as typeof base.ledgerTime }],
    ["how far an exercise spans", withNode(0, { lastDescendant: 2 })],
    ["the contract of an exercise", withNode(0, { contractId: b })],
    ["its interface", withNode(0, { interfaceId: Asset.id })],
    ["its choice", withNode(0, { choice: "Use" })],
    ["whether it consumes", withNode(0, { consuming: true })],
    ["who acts", withNode(0, { actingParties: [alice, bob] })],
    ["who watches", withNode(0, { choiceObservers: [] })],
    ["an argument", withNode(0, { argument: { text: "[]" } })],
    ["a result", withNode(0, { result: { text: "[]" } })],
    ["a created contract", withNode(1, { contract: { ...contract, contractId: b } })],
    ["a node less", { ...base, nodes: base.nodes.slice(0, 2) }],
  ])("%s", (_, other) => {
    expect(formatTransaction(other)).not.toBe(formatTransaction(base));
  });
});

describe("a contract's content shows in its id, and so in the text:", () => {
  const textOf = (paper: Parameters<typeof createPaper>[0]) => {
    const commands = [createPaper(paper)];
    return formatTransaction(
      new EngineLedger().submit({ commands, actAs: [alice, bob], seed: "seed" }).transaction,
    );
  };
  const base = textOf({ signatories: [alice], observers: [bob], text: "a" });

  test.each<[string, string]>([
    ["its payload", textOf({ signatories: [alice], observers: [bob], text: "b" })],
    ["who signs", textOf({ signatories: [alice, bob], text: "a" })],
    ["who observes", textOf({ signatories: [alice], text: "a" })],
  ])("%s", (_, other) => {
    expect(other).not.toBe(base);
  });
});
