/**
 * Submissions through the participant's ledger API at an even rate, whatever comes back: coin is tapped, and passed on between
 * two parties. Each has a command id of its own; without a clear answer it is sent again under the same one.
 */
import { sleep, systemHost } from "@callsign/node";
import type { Command, DisclosedContract, Transaction } from "../../packages/api/src/index.ts";
import type { SharedLogNetwork } from "../operator/shared-log-network.ts";
import type { Random } from "../support/random.ts";
import { CoinContext, type CoinContracts } from "./coin-context.ts";
import { ledgerCodeOf, type SubmissionRecord, stateAfter } from "./submission-record.ts";

/** The user of the participant who sends them. */
export const LOAD_USER = "load";
export const OFFERED_A_SECOND = 100;
const STEP_MILLISECONDS = 50;
/** Fewer than a participant takes from one user. */
const MOST_IN_FLIGHT = 100;
const ATTEMPTS = 3;
const ANSWER_MILLISECONDS = 20_000;
const RETRIES_AT_ONCE = 20;
const RETRIES = 10;
const RETRY_MILLISECONDS = 300;
const TRANSFER_SHARE = 0.25;
const RULES = "#splice-amulet:Splice.AmuletRules:AmuletRules";

interface Coin {
  readonly contractId: string;
  readonly owner: string;
}

interface Submission extends SubmissionRecord {
  readonly actAs: string[];
  readonly command: Command;
  readonly disclosed: DisclosedContract[];
  /** The owner of the coin that it makes. */
  readonly owner: string;
  attempts: number;
}

export class LedgerLoad {
  offered = 0;
  /** Offered while too many were in flight, or before any scan had answered: not sent. */
  unsent = 0;
  readonly parties: readonly string[];
  readonly #ledger: ReturnType<SharedLogNetwork["ledger"]>;
  readonly #random: Random;
  readonly #context: CoinContext;
  readonly #submissions: Submission[] = [];
  readonly #coins: Coin[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #offering: Promise<void> = Promise.resolve();

  private constructor(network: SharedLogNetwork, random: Random, parties: readonly string[]) {
    this.#ledger = network.ledger(LOAD_USER);
    this.#random = random;
    this.#context = new CoinContext(network);
    this.parties = parties;
  }

  static async prepare(network: SharedLogNetwork, random: Random): Promise<LedgerLoad> {
    await network.ledger().createUser({ body: { user: { id: LOAD_USER }, rights: [] } });
    const parties: string[] = [];
    for (const hint of ["load-1", "load-2"]) {
      const body = { partyIdHint: hint, userId: LOAD_USER };
      parties.push((await network.ledger().allocateParty({ body })).partyDetails.party);
    }
    return new LedgerLoad(network, random, parties);
  }

  start(): void {
    this.#context.get();
    const began = performance.now();
    const offerDue = async () => {
      while (!this.#stopping.signal.aborted) {
        const due = ((performance.now() - began) * OFFERED_A_SECOND) / 1000;
        while (this.offered < due) this.#offer();
        await sleep(STEP_MILLISECONDS, { ...systemHost, signal: this.#stopping.signal });
      }
    };
    this.#offering = offerDue();
  }

  /** Resolves when no answer is awaited any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#offering;
    await Promise.all(this.#inFlight);
  }

  get records(): readonly SubmissionRecord[] {
    return this.#submissions;
  }

  /** Sends all submissions without a clear answer again. */
  async settle(): Promise<void> {
    for (let i = 0; i < RETRIES; i++) {
      const open = this.#submissions.filter(({ state }) => state === "unknown");
      if (open.length === 0) return;
      const work = open[Symbol.iterator]();
      const retry = async () => {
        for (const submission of work) await this.#attempt(submission);
      };
      await Promise.all(Array.from({ length: RETRIES_AT_ONCE }, retry));
    }
  }

  #offer(): void {
    this.offered++;
    const contracts = this.#context.get();
    if (contracts === null || this.#inFlight.size >= MOST_IN_FLIGHT) {
      this.unsent++;
      return;
    }
    const submission = this.#draw(contracts);
    this.#submissions.push(submission);
    const work: Promise<void> = this.#send(submission).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  #draw({ dso, rules, round, disclosed }: CoinContracts): Submission {
    const common = {
      ...{
        commandId: `load ${this.#submissions.length}`,
        disclosed,
        state: "unknown" as const,
        errorCode: null,
      },
      ...{ sentAt: performance.now(), acknowledgedAt: null, attempts: 0 },
    };
    const exercise = (choice: string, choiceArgument: object): Command => ({
      ExerciseCommand: {
        templateId: RULES,
        contractId: rules,
        choice,
        choiceArgument: choiceArgument as never,
      },
    });
    const coin = this.#random.chance(TRANSFER_SHARE) ? this.#coins.shift() : undefined;
    if (coin === undefined) {
      const owner = this.#random.pick(this.parties);
      const argument = { receiver: owner, amount: "10.0", openRound: round };
      return { ...common, owner, actAs: [owner], command: exercise("AmuletRules_DevNet_Tap", argument) };
    }
    const sender = coin.owner;
    const owner = this.parties.find((party) => party !== sender) ?? sender;
    const transfer = {
      ...{ sender, provider: sender, beneficiaries: null },
      inputs: [{ tag: "InputAmulet", value: coin.contractId }],
      outputs: [{ receiver: owner, receiverFeeRatio: "0.0", amount: "1.0", lock: null }],
    };
    const nothing = { issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
    const argument = { transfer, context: { ...nothing, openMiningRound: round }, expectedDso: dso };
    const command = exercise("AmuletRules_Transfer", argument);
    return { ...common, owner, actAs: [sender, owner], command };
  }

  async #send(submission: Submission): Promise<void> {
    for (let i = 0; i < ATTEMPTS && submission.state === "unknown"; i++) await this.#attempt(submission);
  }

  async #attempt(submission: Submission): Promise<void> {
    const { commandId, actAs, command, disclosed } = submission;
    submission.attempts++;
    try {
      const commands = { commandId, actAs, commands: [command], disclosedContracts: disclosed };
      const { transaction } = await this.#ledger.submitAndWaitForTransaction(
        { body: { commands } },
        { timeoutMilliseconds: ANSWER_MILLISECONDS },
      );
      this.#keepCoin(transaction, submission);
      submission.state = "acknowledged";
    } catch (error) {
      submission.errorCode = ledgerCodeOf(error);
      submission.state = stateAfter(error, { isFirst: submission.attempts === 1 });
      if (submission.state === "unknown") await sleep(RETRY_MILLISECONDS, systemHost);
    }
    if (submission.state === "acknowledged") submission.acknowledgedAt = performance.now();
  }

  #keepCoin({ events }: Transaction, { owner }: Submission): void {
    for (const event of events) {
      if (!("CreatedEvent" in event) || !event.CreatedEvent.templateId.endsWith(":Amulet")) continue;
      const { contractId, createArgument } = event.CreatedEvent;
      if ((createArgument as { readonly owner: string }).owner === owner)
        this.#coins.push({ contractId, owner });
    }
  }
}
