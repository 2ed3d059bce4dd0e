/**
 * Scraps of what happened: choices with their arguments, payloads, contract ids. Put together anew they make
 * commands that are well formed and wrong.
 */
import type { Command } from "../../packages/ledger/src/engine/command.ts";
import type { Transaction } from "../../packages/ledger/src/engine/transaction.ts";
import { type ContractId, isContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { isPartyId, type PartyId } from "../../packages/ledger/src/values/party-id.ts";
import type { Random } from "../support/random.ts";

interface Exercise {
  readonly templateId: string;
  readonly choice: string;
  readonly argument: string;
}

interface Known {
  readonly contractId: ContractId;
  readonly templateId: string;
}

/** The number of scraps kept of one kind; the newest replace the oldest. */
const KEPT = 12;
const NUMBERS = ["0", "1", "-1", "2", "10000000000", "123456789012345678", "1767225600000000"];
const TEXTS = ["", "alice.unverified.cns", "x".repeat(300), "\u{1f600}", 'ANS entry: "bob.unverified.cns"'];

export class Scraps {
  readonly #exercises = new Map<string, Exercise[]>();
  readonly #payloads = new Map<string, string[]>();
  readonly #contracts = new Map<string, Known[]>();

  /** True if there is something to garble yet. */
  get hasSome(): boolean {
    return this.#exercises.size > 0 && this.#payloads.size > 0;
  }

  collect({ nodes }: Transaction): void {
    for (const node of nodes) {
      if (node.kind === "create") {
        const { contractId, templateId, payload } = node.contract;
        keep(this.#payloads, templateId, payload);
        keep(this.#contracts, templateId, { contractId, templateId });
      } else {
        const { templateId, choice, argument } = node;
        keep(this.#exercises, `${templateId} ${choice}`, { templateId, choice, argument: argument.text });
      }
    }
  }

  /** A choice of an earlier transaction, on some contract, with arguments of others. */
  garbledExercise(random: Random, parties: readonly PartyId[]): Command {
    const { templateId, choice, argument } = random.pick(random.pick([...this.#exercises.values()]));
    const sameKind = this.#contracts.get(templateId) ?? [];
    const { contractId } =
      random.chance(0.8) && sameKind.length > 0 ? random.pick(sameKind) : this.#anyContract(random);
    const data = this.#garble(random, JSON.parse(argument), parties);
    return { tag: "Exercise", value: { templateId, contractId, choice, argument: data } };
  }

  /** A contract like one that exists, with other values. */
  garbledCreate(random: Random, parties: readonly PartyId[]): Command {
    const [templateId, payloads] = random.pick([...this.#payloads]);
    const payload = this.#garble(random, JSON.parse(random.pick(payloads)), parties);
    return { tag: "Create", value: { templateId, payload } };
  }

  /** A contract like one that exists, in which every party, or every party but the DSO, is one's own. */
  forgedCreate(random: Random, own: readonly PartyId[], dso: PartyId): Command {
    const [templateId, payloads] = random.pick([...this.#payloads]);
    const keepsDso = random.chance(0.3);
    const party = random.pick(own);
    const payload = rewrite(JSON.parse(random.pick(payloads)), (text) => {
      return isPartyId(text) && !(keepsDso && text === dso) ? party : text;
    });
    return { tag: "Create", value: { templateId, payload } };
  }

  /** Some contracts of any kind and age. */
  someContracts(random: Random): readonly ContractId[] {
    return Array.from({ length: random.below(4) }, () => this.#anyContract(random).contractId);
  }

  #anyContract(random: Random): Known {
    return random.pick(random.pick([...this.#contracts.values()]));
  }

  #garble(random: Random, data: unknown, parties: readonly PartyId[]): unknown {
    const rate = random.pick([0, 0.1, 0.4]);
    const garbled = rewrite(data, (text) => {
      if (!random.chance(rate)) return text;
      if (isContractId(text)) return this.#anyContract(random).contractId;
      if (isPartyId(text)) return random.pick(parties);
      return /^-?\d+$/.test(text) ? random.pick(NUMBERS) : random.pick(TEXTS);
    });
    // Sometimes the shape is wrong as well.
    return Array.isArray(garbled) && random.chance(0.03) ? garbled.slice(1) : garbled;
  }
}

function keep<T>(kept: Map<string, T[]>, kind: string, scrap: T): void {
  const scraps = kept.get(kind) ?? [];
  kept.set(kind, [...scraps.slice(1 - KEPT), scrap]);
}

/** The same data with every string rewritten. */
function rewrite(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data);
  if (Array.isArray(data)) return data.map((item) => rewrite(item, change));
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, rewrite(value, change)]));
}
