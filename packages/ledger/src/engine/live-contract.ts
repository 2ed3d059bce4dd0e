/** An active contract with its payload decoded and its stakeholders worked out. */
import { decodeText } from "../daml/daml-type.ts";
import { DecodeError } from "../daml/decode-error.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { Hash } from "../values/hash.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Contract, formatBlob } from "./contract.ts";
import type { Template } from "./template.ts";

export interface LiveContract {
  readonly contract: Contract;
  readonly template: Template;
  readonly value: unknown;
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
}

export function decodeContract(catalogue: Catalogue, contract: Contract): LiveContract {
  const template = catalogue.findTemplate(contract.templateId);
  if (template === undefined) throw new DecodeError(`No template ${contract.templateId} is known`);
  const value = decodeText(template.payload, contract.payload);
  return { contract, template, value, ...stakeholdersOf(template, value) };
}

/** Each party once, and an observer only if it does not sign. */
export function stakeholdersOf(
  template: Template,
  value: unknown,
): { readonly signatories: readonly PartyId[]; readonly observers: readonly PartyId[] } {
  const signatories = distinct(template.signatories(value));
  const given = template.observers(value);
  if (given.length === 0) return { signatories, observers: given };
  return { signatories, observers: distinct([...signatories, ...given]).slice(signatories.length) };
}

/** The parties without repetitions, in order. Nearly all lists are short and have none: no copy is made of those. */
export function distinct<Party extends string>(parties: readonly Party[]): readonly Party[] {
  if (parties.length > 8) return [...new Set(parties)];
  const isFirst = (party: Party, i: number) => parties.indexOf(party) === i;
  return parties.every(isFirst) ? parties : parties.filter(isFirst);
}

export function isStakeholder({ signatories, observers }: LiveContract, party: PartyId): boolean {
  return signatories.includes(party) || observers.includes(party);
}

const MAX_REMEMBERED_CHARACTERS = 20_000_000;

interface Remembered {
  readonly live: LiveContract;
  blobHash: string | null;
}

/**
 * Remembers the contracts decoded last, and the hashes of their blobs. Rules and rounds are used by nearly
 * every transaction; a contract never changes, so what is remembered is never stale. It only saves time:
 * results do not depend on it.
 */
export class DecodedContracts {
  readonly #catalogue: Catalogue;
  readonly #hash: Hash;
  readonly #capacity: number;
  readonly #byId = new Map<ContractId, Remembered>();
  #characters = 0;

  constructor(catalogue: Catalogue, hash: Hash, capacity = 1000) {
    this.#catalogue = catalogue;
    this.#hash = hash;
    this.#capacity = capacity;
  }

  decode(contract: Contract): LiveContract {
    return this.#remember(contract).live;
  }

  blobHash(contract: Contract): string {
    const remembered = this.#remember(contract);
    remembered.blobHash ??= this.#hash(formatBlob(contract));
    return remembered.blobHash;
  }

  #remember(contract: Contract): Remembered {
    const known = this.#byId.get(contract.contractId);
    // Only an identical contract counts: two views may hold different contracts under one id.
    if (known !== undefined && isSame(known.live.contract, contract)) return known;
    const remembered = { live: decodeContract(this.#catalogue, contract), blobHash: null };
    this.#forget(contract.contractId);
    this.#byId.set(contract.contractId, remembered);
    this.#characters += contract.payload.length;
    this.#makeRoom();
    return remembered;
  }

  /** The oldest go first; neither many contracts nor a few huge ones may fill the memory. */
  #makeRoom(): void {
    if (this.#fits()) return;
    for (const oldest of this.#byId.keys()) {
      this.#forget(oldest);
      if (this.#fits()) return;
    }
  }

  #fits(): boolean {
    return this.#byId.size <= this.#capacity && this.#characters <= MAX_REMEMBERED_CHARACTERS;
  }

  #forget(contractId: ContractId): void {
    const known = this.#byId.get(contractId);
    if (known === undefined) return;
    this.#characters -= known.live.contract.payload.length;
    this.#byId.delete(contractId);
  }
}

function isSame(a: Contract, b: Contract): boolean {
  return a === b || (a.payload === b.payload && a.templateId === b.templateId && a.createdAt === b.createdAt);
}
