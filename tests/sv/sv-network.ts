/**
 * A network of four SVs in one process: one log, and for each SV a sequencer, a replica with agenda and name index,
 * and an automation. Keys, signatures, databases and the log are real; the clock is moved by entries.
 */
import { systemHost } from "@callsign/node";
import { type NetworkFounding, settleAutomations, signFounding } from "@callsign/sv";
import { type Replica, type ReplicaConsumer, SqliteLog } from "@callsign/synchronizer";
import { expect, onTestFinished } from "vitest";
import {
  AmuletPriceVote,
  AmuletRules,
  type AnyTemplateDeclaration,
  type Command,
  DsoRules,
  type Envelope,
  exerciseCommand,
  OpenMiningRound,
  type Outcome,
  type PayloadOf,
  relTime,
} from "../../packages/ledger/src/index.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { MirroredLedger } from "../support/mirrored-ledger.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { UnservedSv } from "./unserved-sv.ts";

export interface SvNetworkOptions {
  readonly svs?: number;
  readonly founding?: Partial<NetworkFounding>;
  readonly folder?: string;
}

export class SvNetwork extends MirroredLedger {
  readonly log = new SqliteLog(":memory:", systemHost);
  svs: UnservedSv[];
  readonly #folder: string | undefined;
  readonly #outcomes = new Map<number, Outcome>();
  readonly #founding: NetworkFounding;

  private constructor({ svs = 4, founding = {}, folder }: SvNetworkOptions) {
    super();
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

  protected override get mirrored(): Replica {
    return this.first.replica;
  }

  protected override async send(envelope: Envelope): Promise<Outcome> {
    const sequence = await this.first.sequencer.submit(envelope);
    await this.first.replica.reach(sequence, AbortSignal.timeout(60_000));
    const outcome = this.#outcomes.get(sequence);
    if (outcome === undefined) throw new Error(`nothing was applied at ${sequence}`);
    return outcome;
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
    return this.trySubmit(member, { actAs: [member.party], readAs: [this.dso], commands: [command] });
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
    return new UnservedSv(identity, this.log, index === 0 ? { mirror: this.#mirrorConsumer() } : {}, file);
  }

  #mirrorConsumer(): ReplicaConsumer {
    return {
      name: "mirror",
      kinds: [],
      absorb: ({ outcome }) => {
        if (outcome === null) return;
        this.#outcomes.set(outcome.head.sequence, outcome);
        this.mirror(outcome);
      },
      reload: () => undefined,
    };
  }
}
