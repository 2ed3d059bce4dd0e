/** Projections of small transactions, compared with witnesses worked out by hand. */
import { describe, expect, test } from "vitest";
import { alice, bob, carol, dave, erin, type Run, type Step } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import { type AcsDeltaEvent, projectAcsDelta } from "../../testing/project-acs-delta.ts";
import { type PartyId, partyHint } from "../values/party-id.ts";
import { listWitnesses, type ProjectedEvent, projectLedgerEffects } from "./projection.ts";
import type { Transaction } from "./transaction.ts";

const everybody = [alice, bob, carol, dave, erin];

/** `created a: alice bob`, with a star if it changes what is active. Papers go by their text. */
function show(events: readonly (ProjectedEvent | AcsDeltaEvent)[]): readonly string[] {
  return events.map(({ kind, node, witnesses, acsDelta }) => {
    const what = node.kind === "create" ? (node.value as { text: string }).text : node.choice;
    return `${kind} ${what}${acsDelta ? "*" : ""}: ${hints(witnesses)}`;
  });
}

function hints(parties: readonly PartyId[]): string {
  return parties.map(partyHint).toSorted().join(" ");
}

function effects(transaction: Transaction, ...parties: readonly PartyId[]) {
  return show(projectLedgerEffects(transaction, new Set(parties)));
}

function delta(transaction: Transaction, ...parties: readonly PartyId[]) {
  return show(projectAcsDelta(transaction, new Set(parties)));
}

/** A paper of Alice's, which Bob observes, is run or used by Carol while Dave watches. */
function byCarol(exercise: typeof runPaper, run: Partial<Run> = {}): Transaction {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice], observers: [bob], text: "paper" });
  const commands = [exercise(id, { actors: [carol], watchers: [dave], ...run })];
  return ledger.submit({ commands, actAs: [carol], readAs: [alice] }).transaction;
}

describe("a create", () => {
  const { transaction } = new EngineLedger().submit({
    commands: [createPaper({ signatories: [alice, bob], observers: [carol], text: "paper" })],
    actAs: [alice, bob, dave],
  });

  test("is shown to its signatories and observers, not to who submitted it", () => {
    expect(hints(listWitnesses(transaction)[0] ?? [])).toBe("alice bob carol");
    expect(effects(transaction, ...everybody)).toEqual(["created paper*: alice bob carol"]);
    expect(delta(transaction, ...everybody)).toEqual(["created paper*: alice bob carol"]);
  });

  test("names only the requested parties as witnesses", () => {
    expect(effects(transaction, carol, dave)).toEqual(["created paper*: carol"]);
    expect(delta(transaction, carol, dave)).toEqual(["created paper*: carol"]);
    expect(effects(transaction, dave)).toEqual([]);
    expect(delta(transaction, dave)).toEqual([]);
    expect(effects(transaction)).toEqual([]);
  });
});

describe("an exercise that leaves the contract", () => {
  const transaction = byCarol(runPaper);

  test("is shown to signatories, controllers and choice observers, not to the contract's observers", () => {
    expect(effects(transaction, ...everybody)).toEqual(["exercised Run: alice carol dave"]);
    expect(effects(transaction, bob)).toEqual([]);
  });

  test("changes nothing that is active", () => {
    expect(delta(transaction, ...everybody)).toEqual([]);
  });
});

describe("an exercise that uses the contract up", () => {
  const transaction = byCarol(usePaper);

  test("is shown to the contract's observers as well", () => {
    expect(effects(transaction, ...everybody)).toEqual(["exercised Use*: alice bob carol dave"]);
  });

  test("archives it for its stakeholders alone", () => {
    expect(delta(transaction, ...everybody)).toEqual(["archived Use*: alice bob"]);
    expect(delta(transaction, carol, dave)).toEqual([]);
    expect(effects(transaction, carol, dave)).toEqual(["exercised Use: carol dave"]);
  });
});

describe("a consequence of an exercise", () => {
  const steps: readonly Step[] = [{ do: "create", signatories: [alice], observers: [erin], text: "child" }];
  const transaction = byCarol(runPaper, { steps });

  test("is shown to all who are shown the exercise, and to its own stakeholders", () => {
    expect(effects(transaction, ...everybody)).toEqual([
      "exercised Run: alice carol dave",
      "created child*: alice carol dave erin",
    ]);
  });

  test("is not active for parties that only witnessed it", () => {
    expect(effects(transaction, carol, dave)).toEqual([
      "exercised Run: carol dave",
      "created child: carol dave",
    ]);
    expect(delta(transaction, carol, dave)).toEqual([]);
    expect(delta(transaction, ...everybody)).toEqual(["created child*: alice erin"]);
  });

  test("is shown without the exercise around it", () => {
    expect(effects(transaction, erin)).toEqual(["created child*: erin"]);
  });
});

describe("an exercise within an exercise", () => {
  // outer (Alice's, run by Alice and Bob)
  //   first
  //   inner (Bob's, observed by Carol, used up by Bob while Dave watches)
  //     deep (signed by Bob, observed by Erin)
  //   last
  const ledger = new EngineLedger();
  const outer = ledger.paper({ signatories: [alice] });
  const inner = ledger.paper({ signatories: [bob], observers: [carol] });
  const deep: Step = { do: "create", signatories: [bob], observers: [erin], text: "deep" };
  const { transaction } = ledger.submit({
    commands: [
      runPaper(outer, {
        actors: [alice, bob],
        steps: [
          { do: "create", signatories: [alice], text: "first" },
          { do: "use", on: inner, actors: [bob], watchers: [dave], steps: [deep] },
          { do: "create", signatories: [alice], text: "last" },
        ],
      }),
      createPaper({ signatories: [bob], text: "apart" }),
    ],
    actAs: [alice, bob],
  });

  test("is witnessed by its informees, and by those of the exercise around it", () => {
    expect(effects(transaction, ...everybody)).toEqual([
      "exercised Run: alice bob",
      "created first*: alice bob",
      "exercised Use*: alice bob carol dave",
      "created deep*: alice bob carol dave erin",
      "created last*: alice bob",
      "created apart*: bob",
    ]);
  });

  test.each([
    [
      "alice",
      alice,
      [
        "exercised Run: alice",
        "created first*: alice",
        "exercised Use: alice",
        "created deep: alice",
        "created last*: alice",
      ],
    ],
    [
      "bob",
      bob,
      [
        "exercised Run: bob",
        "created first: bob",
        "exercised Use*: bob",
        "created deep*: bob",
        "created last: bob",
        "created apart*: bob",
      ],
    ],
    ["carol", carol, ["exercised Use*: carol", "created deep: carol"]],
    ["dave", dave, ["exercised Use: dave", "created deep: dave"]],
    ["erin", erin, ["created deep*: erin"]],
  ])("shows %s her or his part", (_, party, part) => {
    expect(effects(transaction, party)).toEqual(part);
  });

  test("changes the active contracts of stakeholders", () => {
    expect(delta(transaction, ...everybody)).toEqual([
      "created first*: alice",
      "archived Use*: bob carol",
      "created deep*: bob erin",
      "created last*: alice",
      "created apart*: bob",
    ]);
  });
});

describe("a contract that came and went in one transaction", () => {
  const steps: readonly Step[] = [
    { do: "create", signatories: [alice], observers: [bob], text: "brief" },
    { do: "use", on: 0, actors: [carol], steps: [{ do: "create", signatories: [alice], text: "lasting" }] },
  ];
  const transaction = byCarol(runPaper, { steps });

  test("changes no party's active contracts", () => {
    expect(delta(transaction, ...everybody)).toEqual(["created lasting*: alice"]);
    expect(delta(transaction, bob)).toEqual([]);
  });

  test("is shown in full in the ledger effects, without the ACS delta mark", () => {
    expect(effects(transaction, ...everybody)).toEqual([
      "exercised Run: alice carol dave",
      "created brief: alice bob carol dave",
      "exercised Use: alice bob carol dave",
      "created lasting*: alice bob carol dave",
    ]);
    expect(effects(transaction, bob)).toEqual([
      "created brief: bob",
      "exercised Use: bob",
      "created lasting: bob",
    ]);
  });
});

test("a party with several roles is one witness", () => {
  const ledger = new EngineLedger();
  const id = ledger.paper({ signatories: [alice, bob, alice], observers: [bob, carol, carol] });
  const run = { actors: [alice, bob], watchers: [alice, carol, carol] };
  const { transaction } = ledger.submit({ commands: [usePaper(id, run)], actAs: [alice, bob] });
  expect(delta(transaction, ...everybody)).toEqual(["archived Use*: alice bob carol"]);
  expect(effects(transaction, ...everybody)).toEqual(["exercised Use*: alice bob carol"]);
});

test("a fetch is shown to no party", () => {
  const ledger = new EngineLedger();
  const secret = ledger.paper({ signatories: [alice] });
  const shared = ledger.paper({ signatories: [alice], observers: [bob] });
  const run = { actors: [alice], watchers: [bob], steps: [{ do: "fetch", on: secret } as const] };
  const { transaction } = ledger.submit({ commands: [runPaper(shared, run)], actAs: [alice] });
  expect(effects(transaction, bob)).toEqual(["exercised Run: bob"]);
});
