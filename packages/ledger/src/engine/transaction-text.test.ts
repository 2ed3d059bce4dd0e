/** A transaction's canonical text: what digests are taken over, so all that matters must be in it. */
import { describe, expect, test } from "vitest";
import { Asset, alice, bob, Iou, Paper, type Step } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import { sha256 } from "../../testing/sha256.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { multihash } from "../values/hash.ts";
import { exerciseCommand } from "./command.ts";
import type { Transaction, TransactionNode } from "./transaction.ts";
import { formatTransaction } from "./transaction-text.ts";

test("a text names parties and templates once, and the nodes refer to them", () => {
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
    `["${multihash(sha256("update\nseed"))}","1767225600000000",["${alice}","${bob}"],["${Paper.id}"],[` +
      `["consume",1,"${id}",0,null,"Use",[0],[1],[1],[0],[["${bob}"],["${alice}"],${given}],["${made}"]],` +
      `["create","${made}",0,[0],[],[["${alice}"],[],"a \\"b\\""]]` +
      "]]",
  );
});

test("a text is JSON", () => {
  const ledger = new EngineLedger();
  const iou = ledger.create(Iou, { issuer: alice, owner: bob, amount: decimal("1.0") }, [alice]);
  const { transaction } = ledger.submit({
    commands: [
      exerciseCommand(Asset, iou, "Asset_Give", { newOwner: alice }),
      createPaper({ signatories: [bob], text: '\\ " \n \u2028 \u{1f600}' }),
    ],
    actAs: [bob],
  });
  const [updateId, ledgerTime, parties, ids, nodes] = JSON.parse(formatTransaction(transaction));
  expect({ updateId, ledgerTime }).toEqual({
    updateId: transaction.updateId,
    ledgerTime: `${transaction.ledgerTime}`,
  });
  expect(parties.toSorted()).toEqual([alice, bob]);
  const [given, made, paper] = nodes;
  expect(given.slice(0, 2)).toEqual(["consume", 1]);
  expect([ids[given[3]], ids[given[4]], given[5]]).toEqual([Iou.id, Asset.id, "Asset_Give"]);
  expect([made[0], ids[made[2]], paper[0], ids[paper[2]]]).toEqual(["create", Iou.id, "create", Paper.id]);
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
    ["its template", withNode(0, { templateId: Iou.id })],
    ["its interface", withNode(0, { interfaceId: Asset.id })],
    ["its choice", withNode(0, { choice: "Use" })],
    ["whether it consumes", withNode(0, { consuming: true })],
    ["who acts", withNode(0, { actingParties: [alice, bob] })],
    ["who watches", withNode(0, { choiceObservers: [] })],
    ["who signs", withNode(1, { signatories: [alice, bob] })],
    ["who observes", withNode(1, { observers: [] })],
    ["which of two groups a party is in", withNode(1, { signatories: [], observers: [alice, bob] })],
    ["an argument", withNode(0, { argument: { text: "[]" } })],
    ["a result", withNode(0, { result: { text: "[]" } })],
    ["a created contract", withNode(1, { contract: { ...contract, contractId: b } })],
    ["a payload", withNode(1, { contract: { ...contract, payload: "[]" } })],
    ["a created contract's template", withNode(1, { contract: { ...contract, templateId: Iou.id } })],
    ["a node less", { ...base, nodes: base.nodes.slice(0, 2) }],
  ])("%s", (_, other) => {
    expect(formatTransaction(other)).not.toBe(formatTransaction(base));
  });
});
