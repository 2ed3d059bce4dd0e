/**
 * Random transaction trees. They are planned so that every step has the authority it needs, hence must be
 * accepted; with one party more somewhere, whose authority nobody has, they must not. What the accepted ones show
 * to whom is compared with the definition of who may see a node.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { alice, bob, carol, dave, erin, type Step, type Target } from "../../testing/engine-fixture.ts";
import { createPaper, EngineLedger, runPaper, usePaper } from "../../testing/engine-ledger.ts";
import { type AcsDeltaEvent, projectAcsDelta } from "../../testing/project-acs-delta.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Command } from "./command.ts";
import { DecodedContracts, isStakeholder } from "./live-contract.ts";
import { listWitnesses, type ProjectedEvent, projectLedgerEffects } from "./projection.ts";
import type { Transaction, TransactionNode } from "./transaction.ts";
import { formatTransaction } from "./transaction-text.ts";

const people = [alice, bob, carol, dave];
const INTRUDER = erin;
const RUNS = { numRuns: 150 };

/** A wish for a step: numbers choose parties (bit by bit) and a contract among those at hand. */
interface Branch {
  readonly kind: "create" | "run" | "use" | "fetch" | "archive";
  readonly actors: number;
  readonly others: number;
  readonly pick: number;
  readonly inner: readonly Branch[];
}

function branches(depth: number): fc.Arbitrary<readonly Branch[]> {
  const kind = fc.constantFrom<Branch["kind"]>("create", "create", "run", "run", "use", "fetch", "archive");
  const inner = depth === 0 ? fc.constant([]) : branches(depth - 1);
  const branch = fc.record({ kind, actors: fc.nat(15), others: fc.nat(15), pick: fc.nat(9), inner });
  return fc.array(branch, { maxLength: 4, size: "max" });
}

const scenario = fc.record({
  papers: fc.array(fc.record({ signatories: fc.integer({ min: 1, max: 15 }), observers: fc.nat(15) }), {
    minLength: 1,
    maxLength: 4,
  }),
  submitters: fc.integer({ min: 1, max: 15 }),
  commands: branches(3).filter((wishes) => wishes.length > 0),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;

function choose(parties: readonly PartyId[], bits: number): readonly PartyId[] {
  return parties.filter((_, i) => (bits >> i) & 1);
}

/** At least one of them. */
function chooseSome(parties: readonly PartyId[], bits: number): readonly PartyId[] {
  const chosen = choose(parties, bits);
  return chosen.length > 0 ? chosen : parties.slice(0, 1);
}

/** A contract as the planner knows it. */
interface Known {
  readonly id: ContractId | null;
  readonly signatories: readonly PartyId[];
  readonly stakeholders: readonly PartyId[];
  active: boolean;
}

/** Turns wishes into steps that have the authority they need, and counts those that need any. */
class Planner {
  needy = 0;
  readonly #world: readonly Known[];
  /** The step, by its number, that is to need the intruder too. */
  readonly #spoil: number | null;

  constructor(world: readonly Known[], spoil: number | null) {
    this.#world = world;
    this.#spoil = spoil;
  }

  /** Steps of one body; `made` collects what they create, at any depth, in order. */
  plan(wishes: readonly Branch[], authority: readonly PartyId[], self: Known | null, made: Known[]): Step[] {
    return wishes.flatMap((wish) => this.#step(wish, authority, self, made));
  }

  #step(wish: Branch, authority: readonly PartyId[], self: Known | null, made: Known[]): Step[] {
    const actors = chooseSome(authority, wish.actors);
    const others = choose(people, wish.others);
    if (wish.kind === "create") {
      made.push({ id: null, signatories: actors, stakeholders: [...actors, ...others], active: true });
      return [{ do: "create", signatories: this.#spoiled(actors), observers: others }];
    }
    const found = this.#target(wish.pick, self, made);
    if (found === undefined) return [];
    const [on, target] = found;
    if (wish.kind === "fetch") {
      return target.stakeholders.some((party) => authority.includes(party)) ? [{ do: "fetch", on }] : [];
    }
    if (wish.kind === "archive") {
      if (!target.signatories.every((party) => authority.includes(party))) return [];
      target.active = false;
      return [{ do: "archive", on }];
    }
    if (wish.kind === "use") target.active = false;
    const inner: Known[] = [];
    const spoiled = this.#spoiled(actors);
    const within = [...new Set([...target.signatories, ...actors])];
    const steps = this.plan(wish.inner, within, target, inner);
    made.push(...inner);
    return [{ do: wish.kind, on, actors: spoiled, watchers: others, steps }];
  }

  #target(pick: number, self: Known | null, made: readonly Known[]): [Target, Known] | undefined {
    const candidates: [Target, Known][] = [
      ...this.#world.flatMap((known): [Target, Known][] => (known.id === null ? [] : [[known.id, known]])),
      ...made.map((known, i): [Target, Known] => [i, known]),
    ];
    if (self !== null) candidates.push(["self", self]);
    const active = candidates.filter(([, known]) => known.active);
    return active[pick % Math.max(active.length, 1)];
  }

  #spoiled(parties: readonly PartyId[]): readonly PartyId[] {
    return this.needy++ === this.#spoil ? [...parties, INTRUDER] : parties;
  }
}

/** The scenario's papers and its commands; steps that commands cannot say are left out. */
function prepare({ papers, submitters, commands }: Scenario, spoil: number | null = null) {
  const ledger = new EngineLedger();
  const world = papers.map(({ signatories, observers }): Known => {
    const terms = { signatories: choose(people, signatories), observers: choose(people, observers) };
    const id = ledger.paper(terms);
    const stakeholders = [...terms.signatories, ...terms.observers];
    return { id, signatories: terms.signatories, stakeholders, active: true };
  });
  const planner = new Planner(world, spoil);
  const actAs = choose(people, submitters);
  const planned = commands.flatMap((wish): Command[] => {
    if (wish.kind === "fetch" || wish.kind === "archive") return [];
    // At the top, what was made before has no name yet: each command sees the papers alone.
    return planner.plan([wish], actAs, null, []).map(commandOf);
  });
  return { ledger, submission: { commands: planned, actAs, readAs: people }, needy: planner.needy };
}

function commandOf(step: Step): Command {
  if (step.do === "create") return createPaper(step);
  if ((step.do !== "run" && step.do !== "use") || typeof step.on !== "string" || step.on === "self") {
    throw new Error("a command names a paper");
  }
  return step.do === "run" ? runPaper(step.on, step) : usePaper(step.on, step);
}

function forEach(
  check: (ledger: EngineLedger, transaction: Transaction, actAs: readonly PartyId[]) => void,
): void {
  fc.assert(
    fc.property(scenario, (given) => {
      const { ledger, submission } = prepare(given);
      fc.pre(submission.commands.length > 0);
      check(ledger, ledger.submit(submission).transaction, submission.actAs);
    }),
    RUNS,
  );
}

function ancestorsOf({ nodes }: Transaction, { nodeId }: TransactionNode) {
  return nodes
    .filter((node) => node.kind === "exercise")
    .filter((node) => node.nodeId < nodeId && nodeId <= node.lastDescendant);
}

function stakeholders({ signatories, observers }: TransactionNode): readonly PartyId[] {
  return [...signatories, ...observers];
}

/** True if the party is an informee of the node itself, as the ledger model has it. */
function isInformed(party: PartyId, node: TransactionNode): boolean {
  if (node.kind === "create") return stakeholders(node).includes(party);
  const { signatories, actingParties, choiceObservers, consuming } = node;
  if (consuming && stakeholders(node).includes(party)) return true;
  return [signatories, actingParties, choiceObservers].some((group) => group.includes(party));
}

function described(events: readonly (ProjectedEvent | AcsDeltaEvent)[]) {
  return events.map(({ kind, node, witnesses, acsDelta }) => ({
    kind,
    nodeId: node.nodeId,
    witnesses: witnesses.toSorted(),
    acsDelta,
  }));
}

test("a transaction with all the authority it needs is accepted, in any shape", () => {
  forEach((_, { nodes }) => expect(nodes.length).toBeGreaterThan(0));
});

test("a transaction that lacks one party's authority is refused, at any node", () => {
  fc.assert(
    fc.property(scenario, fc.nat(), (given, where) => {
      const { needy } = prepare(given);
      fc.pre(needy > 0);
      const { ledger, submission } = prepare(given, where % needy);
      expect(ledger.refusal(submission)).toMatchObject({
        code: "DAML_AUTHORIZATION_ERROR",
        cause: expect.stringMatching(new RegExp(`needs the authority of ${INTRUDER}$`)),
      });
    }),
    RUNS,
  );
});

test("every node has the authority of the exercise around it, or of the submitters", () => {
  forEach((_, transaction, actAs) => {
    for (const node of transaction.nodes) {
      const parent = ancestorsOf(transaction, node).at(-1);
      const authority = parent === undefined ? actAs : [...parent.signatories, ...parent.actingParties];
      const needed = node.kind === "create" ? node.signatories : node.actingParties;
      expect(needed.length).toBeGreaterThan(0);
      expect(needed.filter((party) => !authority.includes(party))).toEqual([]);
    }
  });
});

test("nodes are numbered without gaps, and exercises lie within each other or apart", () => {
  forEach((_, { nodes }) => {
    expect(nodes.map(({ nodeId }) => nodeId)).toEqual(nodes.map((_node, i) => i));
    const open: number[] = [];
    for (const node of nodes) {
      while (open.length > 0 && (open.at(-1) ?? 0) < node.nodeId) open.pop();
      const last = node.kind === "exercise" ? node.lastDescendant : node.nodeId;
      expect(last).toBeGreaterThanOrEqual(node.nodeId);
      expect(last).toBeLessThanOrEqual(open.at(-1) ?? nodes.length - 1);
      open.push(last);
    }
  });
});

test("a party witnesses a node exactly if it is informed of it or of a node above it", () => {
  forEach((_, transaction) => {
    const witnesses = listWitnesses(transaction);
    for (const node of transaction.nodes) {
      const above = ancestorsOf(transaction, node);
      const expected = people.filter((party) => [node, ...above].some((each) => isInformed(party, each)));
      expect((witnesses[node.nodeId] ?? []).toSorted()).toEqual(expected.toSorted());
    }
  });
});

test("the projection for several parties is the union of theirs, and for all parties everything", () => {
  forEach((_, transaction) => {
    for (const project of [projectLedgerEffects, projectAcsDelta]) {
      const alone = people.flatMap((party) => described(project(transaction, new Set([party]))));
      const together = described(project(transaction, new Set(people)));
      for (const event of together) {
        const parts = alone.filter(({ nodeId }) => nodeId === event.nodeId);
        expect(parts.flatMap(({ witnesses }) => witnesses).toSorted()).toEqual(event.witnesses);
        expect(parts.some(({ acsDelta }) => acsDelta)).toBe(event.acsDelta);
      }
      expect(alone).toHaveLength(together.flatMap(({ witnesses }) => witnesses).length);
    }
    expect(projectLedgerEffects(transaction, new Set(people))).toHaveLength(transaction.nodes.length);
    expect(projectLedgerEffects(transaction, new Set([INTRUDER]))).toEqual([]);
  });
});

test("the deltas of a party, one after the other, are its active contracts", () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const { ledger, submission } = prepare(given);
      fc.pre(submission.commands.length > 0);
      const decoded = new DecodedContracts(ledger.engine.catalogue, ledger.engine.hash);
      const held = (party: PartyId) =>
        [...ledger.active.values()].filter((contract) => isStakeholder(decoded.decode(contract), party));
      const before = new Map(people.map((party) => [party, new Set(held(party).map((c) => c.contractId))]));
      const { transaction } = ledger.submit(submission);
      for (const [party, contracts] of before) {
        for (const { node } of projectAcsDelta(transaction, new Set([party]))) {
          if (node.kind === "create") contracts.add(node.contract.contractId);
          else expect(contracts.delete(node.contractId)).toBe(true);
        }
        expect([...contracts].toSorted()).toEqual(
          held(party)
            .map(({ contractId }) => contractId)
            .toSorted(),
        );
      }
    }),
    RUNS,
  );
});

test("the ledger effects marked as ACS delta are the nodes of the ACS delta", () => {
  forEach((_, transaction) => {
    for (const party of people) {
      const marked = projectLedgerEffects(transaction, new Set([party])).filter(({ acsDelta }) => acsDelta);
      const deltas = projectAcsDelta(transaction, new Set([party]));
      expect(marked.map(({ node }) => node)).toEqual(deltas.map(({ node }) => node));
    }
  });
});

test("the same scenario gives the same bytes", () => {
  fc.assert(
    fc.property(scenario, (given) => {
      fc.pre(prepare(given).submission.commands.length > 0);
      const texts = [1, 2].map(() => {
        const { ledger, submission } = prepare(given);
        return formatTransaction(ledger.submit(submission).transaction);
      });
      expect(texts[0]).toBe(texts[1]);
    }),
    RUNS,
  );
});
