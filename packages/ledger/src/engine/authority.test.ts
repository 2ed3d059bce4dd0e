/** Daml's rules of authority. */
import { describe, expect, test } from "vitest";
import { alice, bob, carol, type PaperTerms, type Run, type Step } from "../../testing/engine-fixture.ts";
import { archivePaper, createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";

const everybody = [alice, bob, carol];

function creating(terms: PaperTerms, actAs: readonly PartyId[]) {
  return { commands: [createPaper(terms)], actAs, readAs: everybody };
}

/** Runs a paper of the given signatories; all its readers are at hand, so that only authority decides. */
function running(ledger: EngineLedger, signatories: readonly PartyId[], actAs: readonly PartyId[], run: Run) {
  return { commands: [runPaper(ledger.paper({ signatories }), run)], actAs, readAs: everybody };
}

function missing(parties: string) {
  return {
    code: "DAML_AUTHORIZATION_ERROR",
    category: 8,
    cause: expect.stringMatching(new RegExp(`needs the authority of ${parties}$`)),
  };
}

describe("a create", () => {
  test.each([
    ["none of two signatories", [carol], `${alice}, ${bob}`],
    ["the first alone", [alice], bob],
    ["the second alone", [bob], alice],
  ])("by %s fails and names who is missing", (_, actAs, named) => {
    expect(new EngineLedger().refusal(creating({ signatories: [alice, bob] }, actAs))).toMatchObject(
      missing(named),
    );
  });

  test.each([
    ["both signatories", [alice, bob]],
    ["more than the signatories", [carol, bob, alice]],
  ])("by %s succeeds", (_, actAs) => {
    const ledger = new EngineLedger();
    ledger.submit(creating({ signatories: [alice, bob] }, actAs));
    expect(ledger.active.size).toBe(1);
  });

  test("does not need its observers", () => {
    const ledger = new EngineLedger();
    ledger.submit(creating({ signatories: [alice], observers: [bob, carol] }, [alice]));
    expect(ledger.active.size).toBe(1);
  });

  test("without signatories fails, for any submitter", () => {
    const refusal = new EngineLedger().refusal(creating({ signatories: [], observers: [alice] }, everybody));
    expect(refusal).toMatchObject(missing("at least one party"));
  });

  test("without a submitter fails", () => {
    expect(new EngineLedger().refusal(creating({ signatories: [alice] }, []))).toMatchObject(missing(alice));
  });

  test("by a party that may only read as the signatory fails", () => {
    const submission = { commands: [createPaper({ signatories: [alice] })], actAs: [bob], readAs: [alice] };
    expect(new EngineLedger().refusal(submission)).toMatchObject(missing(alice));
  });

  test("names a party that signs twice, or signs and observes, once", () => {
    const ledger = new EngineLedger();
    const terms = { signatories: [alice, bob, alice], observers: [carol, bob, carol] };
    const { transaction } = ledger.submit(creating(terms, [alice, bob]));
    expect(transaction.nodes[0]).toMatchObject({ signatories: [alice, bob], observers: [carol] });
  });
});

describe("an exercise", () => {
  test.each([
    ["one of two controllers", [alice], bob],
    ["the signatory, who is no controller,", [carol], `${alice}, ${bob}`],
  ])("by %s fails and names who is missing", (_, actAs, named) => {
    const ledger = new EngineLedger();
    expect(ledger.refusal(running(ledger, [carol], actAs, { actors: [alice, bob] }))).toMatchObject(
      missing(named),
    );
  });

  test("by all controllers succeeds, though none of them is a stakeholder", () => {
    const ledger = new EngineLedger();
    const { transaction } = ledger.submit(
      running(ledger, [carol], [bob, alice], { actors: [alice, bob, alice] }),
    );
    expect(transaction.nodes[0]).toMatchObject({ actingParties: [alice, bob], signatories: [carol] });
  });

  test("of a choice without controllers fails, for any submitter", () => {
    const ledger = new EngineLedger();
    expect(ledger.refusal(running(ledger, [alice], everybody, { actors: [] }))).toMatchObject(
      missing("at least one party"),
    );
  });

  test("does not need its choice observers", () => {
    const ledger = new EngineLedger();
    const run = { actors: [alice], watchers: [bob, carol, bob] };
    const { transaction } = ledger.submit(running(ledger, [alice], [alice], run));
    expect(transaction.nodes[0]).toMatchObject({ choiceObservers: [bob, carol] });
  });
});

describe("an archive", () => {
  test.each([
    ["one signatory", [alice], bob],
    ["an observer", [carol], `${alice}, ${bob}`],
  ])("by %s fails and names who is missing", (_, actAs, named) => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice, bob], observers: [carol] });
    expect(ledger.refusal({ commands: [archivePaper(id)], actAs })).toMatchObject(missing(named));
  });

  test("by all signatories succeeds, and shows as a consuming exercise by them", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice, bob], observers: [carol] });
    const { transaction } = ledger.submit({ commands: [archivePaper(id)], actAs: [alice, bob] });
    expect(transaction.nodes).toMatchObject([
      { kind: "exercise", choice: "Archive", consuming: true, actingParties: [alice, bob] },
    ]);
    expect(ledger.active.has(id)).toBe(false);
  });
});

describe("a consequence of an exercise", () => {
  test("runs with the authority of the contract's signatories and of the choice's controllers", () => {
    const ledger = new EngineLedger();
    const steps: readonly Step[] = [{ do: "create", signatories: [alice, bob, carol] }];
    const { transaction } = ledger.submit(running(ledger, [alice, bob], [carol], { actors: [carol], steps }));
    expect(transaction.nodes[1]).toMatchObject({ kind: "create", signatories: [alice, bob, carol] });
  });

  test("does not run with the rest of the submitter's authority", () => {
    const ledger = new EngineLedger();
    const steps: readonly Step[] = [{ do: "create", signatories: [alice, bob] }];
    expect(ledger.refusal(running(ledger, [alice], [alice, bob], { actors: [alice], steps }))).toMatchObject(
      missing(bob),
    );
  });

  test("does not run with the authority of the contract's observers", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice], observers: [bob] });
    const run = runPaper(id, { actors: [alice], steps: [{ do: "create", signatories: [bob] }] });
    expect(ledger.refusal({ commands: [run], actAs: [alice] })).toMatchObject(missing(bob));
  });

  test("can exercise in the name of the contract's signatories", () => {
    const ledger = new EngineLedger();
    const steps: readonly Step[] = [{ do: "run", on: ledger.paper({ signatories: [bob] }), actors: [alice] }];
    const { transaction } = ledger.submit(running(ledger, [alice], [carol], { actors: [carol], steps }));
    expect(transaction.nodes[1]).toMatchObject({ kind: "exercise", actingParties: [alice] });
  });

  test("does not inherit the authority of the exercise around it", () => {
    const ledger = new EngineLedger();
    const inner: Step = {
      do: "run",
      on: ledger.paper({ signatories: [carol] }),
      actors: [bob],
      steps: [{ do: "create", signatories: [alice] }],
    };
    const run = { actors: [bob], steps: [inner] };
    expect(ledger.refusal(running(ledger, [alice], [bob], run))).toMatchObject(missing(alice));
  });

  test("leaves the caller with its own authority again", () => {
    const ledger = new EngineLedger();
    const inner: Step = { do: "run", on: ledger.paper({ signatories: [carol] }), actors: [bob] };
    const steps: readonly Step[] = [inner, { do: "create", signatories: [alice, bob] }];
    const { transaction } = ledger.submit(running(ledger, [alice], [bob], { actors: [bob], steps }));
    expect(transaction.nodes[2]).toMatchObject({ kind: "create", signatories: [alice, bob] });
  });

  test("leaves none of its authority to the steps after it", () => {
    const ledger = new EngineLedger();
    const inner: Step = { do: "run", on: ledger.paper({ signatories: [carol] }), actors: [bob] };
    const steps: readonly Step[] = [inner, { do: "create", signatories: [carol] }];
    expect(ledger.refusal(running(ledger, [alice], [bob], { actors: [bob], steps }))).toMatchObject(
      missing(carol),
    );
  });

  test("leaves none of its authority to the commands after it, which have the submitter's", () => {
    const ledger = new EngineLedger();
    const run = runPaper(ledger.paper({ signatories: [carol] }), { actors: [alice] });
    const submitting = (signatory: PartyId) => ({
      commands: [run, createPaper({ signatories: [signatory] })],
      actAs: [alice, bob],
      readAs: [carol],
    });
    expect(ledger.refusal(submitting(carol))).toMatchObject(missing(carol));
    expect(ledger.interpret(submitting(bob)).kind).toBe("transaction");
  });

  test("of a consuming choice has the same authority as of one that is not", () => {
    const ledger = new EngineLedger();
    const id = ledger.paper({ signatories: [alice] });
    const using = (signatory: PartyId) => ({
      commands: [usePaper(id, { actors: [bob], steps: [{ do: "create", signatories: [signatory] }] })],
      actAs: [bob, carol],
      readAs: [alice],
    });
    expect(ledger.refusal(using(carol))).toMatchObject(missing(carol));
    expect(ledger.interpret(using(alice)).kind).toBe("transaction");
  });
});

describe("a fetch", () => {
  const fetching = (ledger: EngineLedger, reader: PartyId, of: PaperTerms) => {
    const steps: readonly Step[] = [{ do: "fetch", on: ledger.paper(of) }];
    return running(ledger, [reader], [reader], { actors: [reader], steps });
  };

  test.each([
    ["a signatory", alice],
    ["an observer", bob],
  ])("by %s succeeds and leaves no node", (_, reader) => {
    const ledger = new EngineLedger();
    const { transaction } = ledger.submit(
      fetching(ledger, reader, { signatories: [alice], observers: [bob] }),
    );
    expect(transaction.nodes).toHaveLength(1);
  });

  test("needs one stakeholder of several", () => {
    const ledger = new EngineLedger();
    const fetched = { signatories: [alice, bob], observers: [carol] };
    expect(ledger.interpret(fetching(ledger, bob, fetched)).kind).toBe("transaction");
  });

  test("by a non-stakeholder fails, although the submitter sees the contract", () => {
    const ledger = new EngineLedger();
    expect(ledger.refusal(fetching(ledger, carol, { signatories: [alice], observers: [bob] }))).toMatchObject(
      missing("a stakeholder"),
    );
  });

  test("of a contract made in the same transaction needs a stakeholder too", () => {
    const ledger = new EngineLedger();
    const outer = ledger.paper({ signatories: [alice] });
    const create: Step = { do: "create", signatories: [bob] };
    const submitting = (steps: readonly Step[]) => ({
      commands: [runPaper(outer, { actors: [alice, bob], steps: [create, ...steps] })],
      actAs: [alice, bob],
      seed: "the same each time",
    });
    const { results } = ledger.submit(submitting([]));
    const [made] = results[0] as [ContractId];
    const fetchAs = (reader: PartyId): Step => ({
      do: "run",
      on: ledger.paper({ signatories: [reader] }),
      actors: [reader],
      steps: [{ do: "fetch", on: made }],
    });
    ledger.active.delete(made);
    expect(ledger.interpret(submitting([fetchAs(bob)])).kind).toBe("transaction");
    expect(ledger.refusal(submitting([fetchAs(alice)]))).toMatchObject(missing("a stakeholder"));
  });
});
