/** A network as its tests see it: its active contracts, and submissions of members that the test signs itself. */
import { sha256, signEntry } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import type { CreateNode } from "../../packages/ledger/src/engine/transaction.ts";
import {
  type AnyTemplateDeclaration,
  addDuration,
  type ContractId,
  type EntryContent,
  type Envelope,
  formatBlob,
  type Network,
  type Outcome,
  type PartyId,
  type PayloadOf,
  type Time,
} from "../../packages/ledger/src/index.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SimulatedMember, Submission } from "../../packages/ledger/testing/simulated-network.ts";
import type { WalletHost } from "../../packages/ledger/testing/wallet-actor.ts";

export abstract class MirroredLedger implements WalletHost<Promise<Outcome>> {
  readonly #created = new Map<ContractId, CreateNode>();
  #ids = 0;

  /** The replica whose outcomes are mirrored. */
  protected abstract get mirrored(): Replica;

  /** Appends an entry, and resolves with the outcome at the mirrored replica. */
  protected abstract send(envelope: Envelope): Promise<Outcome>;

  protected mirror({ archived, created }: Outcome): void {
    for (const { contractId } of archived) this.#created.delete(contractId);
    for (const node of created) this.#created.set(node.contract.contractId, node);
  }

  get network(): Network {
    const { network } = this.mirrored.state;
    if (network === null) throw new Error("the founding was rejected");
    return network;
  }

  get dso(): PartyId {
    return this.network.dso;
  }

  /** Lists contracts of the DSO alone, as `active` does. */
  get ofDso(): this {
    return this;
  }

  get now(): Time {
    return this.mirrored.state.head.recordTime;
  }

  /** Signs an entry with the member's keys, and answers what the mirrored replica made of it. */
  append(content: EntryContent, keys: readonly { publicKey: string; sign: (m: string) => string }[]) {
    return this.send(signEntry(content, keys));
  }

  once(member: string) {
    const maxRecordTime = addDuration(this.now, HOUR);
    return { network: this.network.id, member, submissionId: `test-${this.#ids++}`, maxRecordTime };
  }

  /** The active contracts of a template that a party signs, the DSO unless told otherwise; with null all of them. */
  active<T extends AnyTemplateDeclaration>(template: T, party: PartyId | null = this.dso) {
    return [...this.#created.values()]
      .filter(({ contract, signatories }) => {
        return contract.templateId === template.id && (party === null || signatories.includes(party));
      })
      .map(({ contract, value }) => ({ contractId: contract.contractId, payload: value as PayloadOf<T> }));
  }

  /** The number of active contracts by template. */
  countActive(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { contract } of this.#created.values())
      counts[contract.templateId] = (counts[contract.templateId] ?? 0) + 1;
    return counts;
  }

  only<T extends AnyTemplateDeclaration>(template: T) {
    const [first, ...others] = this.active(template);
    if (first === undefined || others.length > 0) throw new Error(`not exactly one ${template.entity}`);
    return first;
  }

  /** Rejects if the submission is rejected. */
  async submit(member: SimulatedMember, submission: Submission): Promise<Outcome> {
    return accept(await this.trySubmit(member, submission));
  }

  protected trySubmit(member: SimulatedMember, { actAs, readAs = [], commands, disclose = [] }: Submission) {
    const once = this.once(member.id);
    const value = {
      ...{ ...once, userId: "test", commandId: once.submissionId, workflowId: "", actAs, readAs, commands },
      ...{ deduplicateFrom: null, minLedgerTime: null },
      disclosed: disclose.map((contractId) => ({ contractId, blobHash: this.#blobHash(contractId) })),
    };
    return this.append({ tag: "Submit", value }, [member.signingKey]);
  }

  #blobHash(contractId: ContractId): string {
    const contract = this.mirrored.state.findContract(contractId);
    return contract === undefined ? "" : sha256(formatBlob(contract));
  }
}
