/**
 * A network of four SVs in one process: one log, and for each SV a sequencer, a replica with agenda and name index,
 * and an automation. Keys, signatures, databases and the log are real; the clock is moved by entries.
 */
import { sha256, signEntry, systemHost } from "@callsign/node";
import { type NetworkFounding, settleAutomations, signFounding } from "@callsign/sv";
import { type ReplicaConsumer, SqliteLog } from "@callsign/synchronizer";
import { expect, onTestFinished } from "vitest";
import type { CreateNode } from "../../packages/ledger/src/engine/transaction.ts";
import {
  AmuletPriceVote,
  AmuletRules,
  type AnyTemplateDeclaration,
  addDuration,
  type Command,
  type ContractId,
  DsoRules,
  type EntryContent,
  exerciseCommand,
  formatBlob,
  OpenMiningRound,
  type Outcome,
  type PartyId,
  type PayloadOf,
  relTime,
  type Time,
} from "../../packages/ledger/src/index.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SimulatedMember, Submission } from "../../packages/ledger/testing/simulated-network.ts";
import type { WalletHost } from "../../packages/ledger/testing/wallet-actor.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { UnservedSv } from "./unserved-sv.ts";

export interface SvNetworkOptions {
  readonly svs?: number;
  readonly founding?: Partial<NetworkFounding>;
  readonly folder?: string;
}

export class SvNetwork implements WalletHost<Promise<Outcome>> {
  readonly log = new SqliteLog(":memory:", systemHost);
  svs: UnservedSv[];
  readonly #folder: string | undefined;
  readonly #created = new Map<ContractId, CreateNode>();
  readonly #outcomes = new Map<number, Outcome>();
  readonly #founding: NetworkFounding;
  #ids = 0;

  private constructor({ svs = 4, founding = {}, folder }: SvNetworkOptions) {
    const identities = Array.from({ length: svs }, (_, i) => identityNamed(`sv${i + 1}`));
    this.#founding = {
      svs: identities.map((identity) => ({ identity })),
      movableClock: true,
      isDevNet: true,
      ...founding,
    };
    this.#folder = folder;
    this.svs = identities.map((_, i) => this.#open(i));
  }

  /** Founded, with every automation running; closed when the test is. */
  static async found(options: SvNetworkOptions = {}): Promise<SvNetwork> {
    const network = new SvNetwork(options);
    onTestFinished(() => network.close());
    const sequence = await network.first.sequencer.submit(signFounding(network.#founding));
    await network.reached(sequence);
    for (const { automation } of network.svs) automation.start();
    return network;
  }

  get first(): UnservedSv {
    return this.svs[0] as UnservedSv;
  }

  get network() {
    const { network } = this.first.replica.state;
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
    return this.first.replica.state.head.recordTime;
  }

  /** Signs an entry with the member's keys, and answers what the first SV's replica made of it. */
  async append(content: EntryContent, keys: readonly { publicKey: string; sign: (m: string) => string }[]) {
    const sequence = await this.first.sequencer.submit(signEntry(content, keys));
    await this.first.replica.reach(sequence, AbortSignal.timeout(60_000));
    const outcome = this.#outcomes.get(sequence);
    if (outcome === undefined) throw new Error(`nothing was applied at ${sequence}`);
    return outcome;
  }

  once(member: string) {
    const maxRecordTime = addDuration(this.now, HOUR);
    return { network: this.network.id, member, submissionId: `test-${this.#ids++}`, maxRecordTime };
  }

  async moveClock(micros: bigint): Promise<Outcome> {
    const { id, signingKey } = this.first.identity;
    const value = { ...this.once(id), forward: relTime(micros) };
    return this.append({ tag: "MoveClock", value }, [signingKey]);
  }

  /** Every SV that runs has nothing more to do, at the same head. */
  async settle(running: readonly UnservedSv[] = this.svs): Promise<void> {
    const automations = running.map(({ automation }) => automation);
    try {
      const signal = AbortSignal.timeout(60_000);
      await settleAutomations(automations, { logHead: this.log.head, timers: systemHost.timers, signal });
    } catch (cause) {
      const statuses = automations.map((automation) => automation.status());
      throw new Error(
        `the SVs do not settle: ${JSON.stringify(statuses, (_key, value) => (typeof value === "bigint" ? String(value) : value))}`,
        { cause },
      );
    }
  }

  async moveAndSettle(micros: bigint): Promise<void> {
    await this.moveClock(micros);
    await this.settle();
  }

  /** Closes an SV other than the first, and opens it again on its files. */
  async restart(index: number, meanwhile: () => Promise<void>): Promise<void> {
    await this.svs[index]?.close();
    await meanwhile();
    const again = this.#open(index);
    this.svs[index] = again;
    again.automation.start();
  }

  reached(sequence: number): Promise<unknown> {
    const signal = AbortSignal.timeout(60_000);
    return Promise.all(this.svs.map(({ replica }) => replica.reach(sequence, signal)));
  }

  /** The active contracts of a template that a party signs, the DSO unless told otherwise; with null all of them. */
  active<T extends AnyTemplateDeclaration>(template: T, party: PartyId | null = this.dso) {
    return [...this.#created.values()]
      .filter(({ contract, signatories }) => {
        return contract.templateId === template.id && (party === null || signatories.includes(party));
      })
      .map(({ contract, value }) => ({ contractId: contract.contractId, payload: value as PayloadOf<T> }));
  }

  /** The contracts of a template that the DSO has ever signed, whatever became of them. */
  everCreated<T extends AnyTemplateDeclaration>({ id }: T): readonly PayloadOf<T>[] {
    const created = [...this.#outcomes.values()].flatMap((outcome) => outcome.created);
    return created
      .filter(({ contract, signatories }) => contract.templateId === id && signatories.includes(this.dso))
      .map(({ value }) => value as PayloadOf<T>);
  }

  countCreated(template: AnyTemplateDeclaration): number {
    return this.everCreated(template).length;
  }

  only<T extends AnyTemplateDeclaration>(template: T) {
    const [first, ...others] = this.active(template);
    if (first === undefined || others.length > 0) throw new Error(`not exactly one ${template.entity}`);
    return first;
  }

  blobHash(contractId: ContractId): string {
    const contract = this.first.replica.state.findContract(contractId);
    return contract === undefined ? "" : sha256(formatBlob(contract));
  }

  /** All replicas stand at the log's end, in the same state. */
  expectAgreement(nodes: readonly UnservedSv[] = this.svs): void {
    const heads = nodes.map(({ replica }) => replica.state.head);
    for (const head of heads) expect(head).toEqual(heads[0]);
  }

  expectNothingStuck(): void {
    for (const { automation } of this.svs) expect(automation.status().stuck).toEqual([]);
  }

  /** Opens rounds by the hand of the first SV, until the one with that number has closed. */
  async advanceRoundsBeyond(number: bigint, step = HOUR): Promise<void> {
    while (this.active(OpenMiningRound).some(({ payload }) => payload.round.number <= number)) {
      await this.moveClock(step);
      const [oldest, middle, latest] = this.active(OpenMiningRound);
      if (oldest === undefined || middle === undefined || latest === undefined) throw new Error("no rounds");
      const { party } = this.first;
      const argument = {
        amuletRulesCid: this.only(AmuletRules).contractId,
        roundToArchiveCid: oldest.contractId,
        middleRoundCid: middle.contractId,
        latestRoundCid: latest.contractId,
        amuletPriceVoteCids: this.active(AmuletPriceVote).map(({ contractId }) => contractId),
        sv: party,
      };
      const { contractId } = this.only(DsoRules);
      const command = exerciseCommand(DsoRules, contractId, "DsoRules_AdvanceOpenMiningRounds", argument);
      await this.byHand(this.first, command);
    }
  }

  /** Submits for the SV by hand, and answers the outcome at the first SV's replica. */
  byHand({ member }: UnservedSv, command: Command): Promise<Outcome> {
    return this.#submit(member, { actAs: [member.party], readAs: [this.dso], commands: [command] });
  }

  /** Rejects if the submission is rejected. */
  async submit(member: SimulatedMember, submission: Submission): Promise<Outcome> {
    return accept(await this.#submit(member, submission));
  }

  #submit(member: SimulatedMember, { actAs, readAs = [], commands, disclose = [] }: Submission) {
    const once = this.once(member.id);
    const value = {
      ...{ ...once, userId: "test", commandId: once.submissionId, workflowId: "", actAs, readAs, commands },
      ...{ deduplicateFrom: null, minLedgerTime: null },
      disclosed: disclose.map((contractId) => ({ contractId, blobHash: this.blobHash(contractId) })),
    };
    return this.append({ tag: "Submit", value }, [member.signingKey]);
  }

  /** The SVs' submissions: done, and lost to another. */
  races(): { readonly accepted: number; readonly lost: number; readonly failed: number } {
    const statuses = this.svs.map(({ automation }) => automation.status());
    const total = (of: "accepted" | "lost" | "failed") =>
      statuses.reduce((all, status) => all + status[of], 0);
    return { accepted: total("accepted"), lost: total("lost"), failed: total("failed") };
  }

  async close(): Promise<void> {
    for (const sv of this.svs) await sv.close();
    await this.log.close();
  }

  #open(index: number): UnservedSv {
    const identity = identityNamed(`sv${index + 1}`);
    const file = this.#folder === undefined ? undefined : `${this.#folder}/sv${index + 1}.db`;
    return new UnservedSv(identity, this.log, index === 0 ? { mirror: this.#mirror() } : {}, file);
  }

  #mirror(): ReplicaConsumer {
    return {
      name: "mirror",
      kinds: [],
      absorb: ({ outcome }) => {
        if (outcome === null) return;
        this.#outcomes.set(outcome.head.sequence, outcome);
        for (const { contractId } of outcome.archived) this.#created.delete(contractId);
        for (const node of outcome.created) this.#created.set(node.contract.contractId, node);
      },
      reload: () => undefined,
    };
  }
}
