/** An active contract with its payload decoded and its stakeholders worked out. */
import { decodeText } from "../daml/daml-type.ts";
import type { ContractId } from "../values/contract-id.ts";
import type { PartyId } from "../values/party-id.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Contract } from "./contract.ts";
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
  if (template === undefined)
    throw new Error(`no template ${contract.templateId} for ${contract.contractId}`);
  const value = decodeText(template.payload, contract.payload);
  const signatories = template.signatories(value);
  const observers = template.observers(value);
  return { contract, template, value, signatories, observers };
}

export function isStakeholder({ signatories, observers }: LiveContract, party: PartyId): boolean {
  return signatories.includes(party) || observers.includes(party);
}

/**
 * Remembers the contracts decoded last. Rules and rounds are used by nearly every transaction; a contract
 * never changes, so what is remembered is never stale. It only saves time: results do not depend on it.
 */
export class DecodedContracts {
  readonly #catalogue: Catalogue;
  readonly #capacity: number;
  readonly #byId = new Map<ContractId, LiveContract>();

  constructor(catalogue: Catalogue, capacity = 2000) {
    this.#catalogue = catalogue;
    this.#capacity = capacity;
  }

  decode(contract: Contract): LiveContract {
    const remembered = this.#byId.get(contract.contractId);
    // Only an identical contract counts: a forged one may carry the id of a real one.
    if (remembered !== undefined && remembered.contract.payload === contract.payload) return remembered;
    const live = decodeContract(this.#catalogue, contract);
    if (this.#byId.size >= this.#capacity) this.#forgetOldest();
    this.#byId.set(contract.contractId, live);
    return live;
  }

  #forgetOldest(): void {
    for (const oldest of this.#byId.keys()) {
      this.#byId.delete(oldest);
      return;
    }
  }
}
