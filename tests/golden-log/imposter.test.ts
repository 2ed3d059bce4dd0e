/**
 * Somebody who has no part in anything, and has seen everything: every choice of the golden log is tried again right
 * before it happened, with the imposter in the place of each party that it names, of all of them and of none; and
 * again with contracts of the imposter's own in the place of those that it names. Whatever the ledger lets pass must
 * leave everybody's contracts where they are, and must be nobody's word but the imposter's and the DSO's.
 */
import { describe, expect, test } from "vitest";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import type { Command } from "../../packages/ledger/src/engine/command.ts";
import type { Contract } from "../../packages/ledger/src/engine/contract.ts";
import { createEngine } from "../../packages/ledger/src/engine/interpret.ts";
import {
  type ExerciseNode,
  listArchived,
  type Transaction,
} from "../../packages/ledger/src/engine/transaction.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import { testParty } from "../../packages/ledger/testing/sandbox.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { readGoldenLog } from "./golden-file.ts";
import { newTransition } from "./replay-digests.ts";

const imposter = testParty("imposter");
const engine = createEngine({ catalogue: networkCatalogue, hash: sha256 });
/** The number of attempts for each choice: later contracts of a template differ little from earlier ones. */
const TIMES = 5;
const PARTY = /[\w-]+::1220[0-9a-f]{64}/g;
const CONTRACT_ID = /00[0-9a-f]{64}ca101220[0-9a-f]{64}/g;

interface Trial {
  readonly choice: string;
  readonly how: string;
  readonly transaction: Transaction;
  readonly existing: ReadonlySet<ContractId>;
}

class Imposter {
  readonly passed: Trial[] = [];
  readonly #state: MemoryState;
  readonly #readers: ReadonlySet<PartyId>;
  tried = 0;

  constructor(state: MemoryState, readers: ReadonlySet<PartyId>) {
    this.#state = state;
    this.#readers = readers;
  }

  tryChoice({ choice, contractId, templateId, interfaceId, argument }: ExerciseNode): void {
    const target = interfaceId ?? templateId;
    const parties = [...new Set(argument.text.match(PARTY) ?? [])];
    const texts = new Map([["as it was", argument.text]]);
    for (const party of parties) texts.set(`for ${party}`, argument.text.replaceAll(party, imposter));
    texts.set("for everybody", argument.text.replaceAll(PARTY, imposter));
    for (const [how, text] of texts) {
      this.#submit(choice, how, [exerciseOf(target, contractId, choice, text)]);
      const forged = this.#forgeAll(`${text} ${contractId}`);
      if (forged.written === 0) continue;
      const withForged = forged.replace(text);
      this.#submit(
        choice,
        `${how}, with forged contracts`,
        [exerciseOf(target, contractId, choice, withForged)],
        forged.state,
      );
      const onForged = forged.replace(contractId) as ContractId;
      this.#submit(
        choice,
        `${how}, on a forged contract`,
        [exerciseOf(target, onForged, choice, text)],
        forged.state,
      );
      this.#submit(
        choice,
        `${how}, all forged`,
        [exerciseOf(target, onForged, choice, withForged)],
        forged.state,
      );
    }
  }

  /**
   * A copy of each contract that the text names, signed by the imposter alone, as far as it can be written: with the
   * imposter in the DSO's place, or else in everybody's.
   */
  #forgeAll(text: string) {
    const state = new Map(this.#state.contracts);
    const copies = new Map<string, string>();
    const dso = this.#state.network?.dso ?? "";
    for (const cid of new Set(text.match(CONTRACT_ID) ?? [])) {
      const contract = this.#state.contracts.get(cid as ContractId);
      if (contract === undefined) continue;
      const { templateId, payload } = contract;
      const copy =
        this.#write(templateId, payload.replaceAll(dso, imposter), state) ??
        this.#write(templateId, payload.replaceAll(PARTY, imposter), state);
      if (copy === null) continue;
      state.set(copy.contractId, copy);
      copies.set(cid, copy.contractId);
    }
    const replace = (given: string) => given.replaceAll(CONTRACT_ID, (cid) => copies.get(cid) ?? cid);
    return { state, replace, written: copies.size };
  }

  #write(templateId: string, payload: string, contracts: ReadonlyMap<ContractId, Contract>): Contract | null {
    const value = { templateId, payload: JSON.parse(payload) as unknown };
    const outcome = this.#interpret([{ tag: "Create", value }], contracts);
    const [node] = outcome.kind === "transaction" ? outcome.transaction.nodes : [];
    return node?.kind === "create" ? node.contract : null;
  }

  #submit(
    choice: string,
    how: string,
    commands: readonly Command[],
    contracts = this.#state.contracts,
  ): void {
    this.tried++;
    const outcome = this.#interpret(commands, contracts);
    if (outcome.kind === "failure") {
      expect(outcome.defect, `${choice} ${how}`).toBeNull();
      return;
    }
    const existing = new Set(this.#state.contracts.keys());
    this.passed.push({ choice, how, transaction: outcome.transaction, existing });
  }

  #interpret(commands: readonly Command[], contracts: ReadonlyMap<ContractId, Contract>) {
    return engine.interpret({
      commands,
      actAs: [imposter],
      readAs: [...this.#readers],
      disclosed: [],
      seed: sha256(`imposter ${this.tried} ${JSON.stringify(commands)}`),
      now: this.#state.head.recordTime,
      timeBounds: { earliest: null, latest: null },
      findContract: (contractId) => contracts.get(contractId),
      stage: "submission",
    });
  }
}

function exerciseOf(templateId: string, contractId: ContractId, choice: string, text: string): Command {
  return {
    tag: "Exercise",
    value: { templateId, contractId, choice, argument: JSON.parse(text) as unknown },
  };
}

/** Tries every choice along the whole log; answers the attempts that succeeded. */
function tryEverything(): {
  readonly passed: readonly Trial[];
  readonly tried: number;
  readonly dso: PartyId;
} {
  const state = new MemoryState();
  const transition = newTransition();
  const readers = new Set<PartyId>();
  const mallory = new Imposter(state, readers);
  const times = new Map<string, number>();
  for (const entry of readGoldenLog().log) {
    const outcome = transition.apply(entry, state);
    const { verdict } = outcome;
    const nodes = verdict.kind === "accepted" ? (verdict.transaction?.nodes ?? []) : [];
    for (const node of nodes) {
      if (node.kind !== "exercise" || !state.contracts.has(node.contractId)) continue;
      const before = times.get(node.choice) ?? 0;
      if (before < TIMES) mallory.tryChoice(node);
      times.set(node.choice, before + 1);
    }
    for (const node of nodes)
      for (const party of [...node.signatories, ...node.observers]) readers.add(party);
    state.absorb(outcome);
  }
  const dso = state.network?.dso;
  if (dso === undefined) throw new Error("the log founds no network");
  return { passed: mallory.passed, tried: mallory.tried, dso };
}

describe("an imposter that tries every choice in place of every party", () => {
  const { passed, tried, dso } = tryEverything();

  test("makes many attempts, and some of them are accepted", () => {
    expect(tried).toBeGreaterThan(4000);
    expect(passed.length).toBeGreaterThan(0);
  });

  test("archives no contract of another party", () => {
    for (const { choice, how, transaction, existing } of passed) {
      const ended = listArchived(transaction).filter(({ contractId }) => existing.has(contractId));
      expect(
        ended.map(({ templateId }) => templateId),
        `${choice} ${how}`,
      ).toEqual([]);
    }
  });

  test("creates contracts signed by itself alone and, where its rules allow it, by the DSO", () => {
    for (const { choice, how, transaction } of passed) {
      for (const node of transaction.nodes) {
        if (node.kind !== "create") continue;
        const others = node.signatories.filter((party) => party !== imposter && party !== dso);
        expect(others, `${choice} ${how}`).toEqual([]);
      }
    }
  });

  test("gets the DSO's signature only through choices that a DevNet offers to every party", () => {
    const offered = new Set<string>();
    for (const { transaction } of passed) {
      const [root] = transaction.nodes;
      for (const node of transaction.nodes) {
        if (node.kind !== "create" || !node.signatories.includes(dso) || root?.kind !== "exercise") continue;
        offered.add(`${root.choice} ${node.contract.templateId.split(":").at(-1)}`);
      }
    }
    expect([...offered].sort()).toEqual([
      "AmuletRules_DevNet_FeatureApp FeaturedAppRight",
      "AmuletRules_DevNet_Tap Amulet",
      "AnsRules_RequestEntry AnsEntryContext",
      "AnsRules_RequestEntry SubscriptionRequest",
      // The imposter's own copy of a wallet's installation, with a tap in the batch.
      "WalletAppInstall_ExecuteBatch Amulet",
    ]);
  });
});
