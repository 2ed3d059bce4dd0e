/**
 * What an SV does by itself: it decides on payments for names, collects or returns them, ends what has had its time,
 * opens rounds and sees them through, receives its rewards, merges what piles up. It reacts to what its own replica applies; *now* is the replica's record time. Doing the work
 * makes the task stale, so restarts, duplicates and two instances of one SV are harmless.
 */
import {
  type BeneficiaryShare,
  type Decimal,
  findBeneficiaryFault,
  type Hash,
  type Time,
} from "@callsign/ledger";
import {
  type AutomationStatus,
  checkPaused,
  failed,
  type Host,
  type Log,
  rankOf,
  SubjectRunner,
  type SubjectRunnerStatus,
  systemHost,
} from "@callsign/node";
import type { Agenda } from "../agenda/agenda.ts";
import { MARKERS, ROUNDS, type Subject, subjectId } from "../agenda/subject.ts";
import { allocateRecord } from "./allocate-records.ts";
import { listCoinTasks } from "./coin-tasks.ts";
import { listCommandTasks } from "./command-tasks.ts";
import { listContractTasks } from "./contract-tasks.ts";
import { findNextDue } from "./find-next-due.ts";
import { LedgerFacts } from "./ledger-facts.ts";
import { listUnconfirmed } from "./list-unconfirmed.ts";
import { listMarkerTasks } from "./marker-tasks.ts";
import {
  listMergesOfFund,
  listMergesOfLicenses,
  listMergesOfRewardStates,
  listMergesOfRewards,
  listMergesOfTraffic,
  listPiles,
} from "./merge-tasks.ts";
import { listNameTasks } from "./name-tasks.ts";
import { listPastRoundTasks } from "./past-round-tasks.ts";
import { listRequestTasks } from "./request-tasks.ts";
import { listRoundTasks } from "./round-tasks.ts";
import { Submitter, type SubmitterParts } from "./submitter.ts";
import { Sweep } from "./sweep.ts";
import { AUTOMATIONS, type Automation, type Task } from "./task.ts";

export interface SvAutomationParts extends SubmitterParts {
  readonly agenda: Agenda;
  readonly hash: Hash;
  readonly log: Log;
  /** What this SV wants coin to cost, in dollars, as long as it has not voted. */
  readonly amuletPrice?: Decimal;
  /** Who shares this SV's rewards, in basis points of weight; what they leave is its own. */
  readonly beneficiaries?: readonly BeneficiaryShare[];
  /** What this SV leaves to the others. */
  readonly paused?: readonly Automation[];
  readonly host?: Host;
}

export interface SvAutomationStatus extends SubjectRunnerStatus {
  readonly idle: boolean;
  /** The last entry that the SV's replica has applied. */
  readonly sequence: number;
  /** Of all submissions that were answered, the part that another SV was faster with. */
  readonly lostShare: number;
  /** Every automation, in the order of their names' list. */
  readonly automations: readonly AutomationStatus<Automation>[];
}

/** How many tasks are named that wait; all of them are counted. */
const WAITS_SHOWN = 20;

export class SvAutomation {
  readonly #parts: SvAutomationParts;
  readonly #facts: LedgerFacts;
  readonly #submitter: Submitter;
  readonly #sweep: Sweep;
  readonly #runner: SubjectRunner<Subject, Task>;
  readonly #paused: ReadonlySet<Automation>;
  #stopped = new AbortController();
  #stopListening: (() => void) | null = null;

  constructor(parts: SvAutomationParts) {
    this.#parts = parts;
    this.#paused = checkPaused(parts.paused ?? [], AUTOMATIONS, "an SV");
    const { agenda, replica, hash, party, log, host = systemHost } = parts;
    this.#facts = new LedgerFacts(agenda, replica.state);
    requireBeneficiaries(parts, this.#facts);
    this.#submitter = new Submitter(parts);
    this.#sweep = new Sweep(agenda, () => listPiles(this.#facts));
    this.#runner = new SubjectRunner({
      idOf: subjectId,
      decide: (subject) => this.#look(subject),
      sweep: () => this.#sweep.next(),
      restartSweep: () => this.#sweep.seeAll(),
      rank: ({ key }) => rankOf(hash, key, party, this.#facts.rules?.svs ?? []),
      perform: (task) => this.#send(task),
      host,
      ledgerTime: () => agenda.now,
      log,
    });
  }

  start(): void {
    const { agenda, replica } = this.#parts;
    this.#stopListening?.();
    this.#stopped = new AbortController();
    const stopAgenda = agenda.listen({
      touched: (subject) => this.#runner.changed(subject),
      rulesChanged: () => this.#sweep.seePending(),
    });
    const stopReplica = replica.onApplied((outcomes) => {
      this.#submitter.absorb(outcomes);
      this.#touchWhatIsDue();
      this.#runner.wake();
    });
    this.#stopListening = () => {
      stopAgenda();
      stopReplica();
    };
    this.#sweep.seeAll();
    this.#runner.changed(ROUNDS);
    this.#runner.start();
  }

  /** Sends nothing more and forgets what is under way: the ledger knows it. */
  async stop(): Promise<void> {
    this.#stopListening?.();
    this.#stopListening = null;
    this.#stopped.abort(new Error("the SV's automation was stopped"));
    await this.#runner.stop();
  }

  /**
   * Resolves when this SV has nothing more to do at its replica's head, nor anything under way. A task that fails
   * again and again is not waited for. Other SVs may still have to act, and this one again after them.
   */
  idle(): Promise<void> {
    return this.#runner.idle();
  }

  /** Whether its replica has applied so much, and it has nothing more to do. */
  isIdleAt(sequence: number): boolean {
    return this.#runner.isIdle && this.#parts.replica.state.head.sequence >= sequence;
  }

  status(): SvAutomationStatus {
    const status = this.#runner.status();
    const answered = status.accepted + status.lost + status.failed;
    return {
      ...status,
      idle: this.#runner.isIdle,
      sequence: this.#parts.replica.state.head.sequence,
      lostShare: answered === 0 ? 0 : status.lost / answered,
      automations: this.#listStatuses(),
    };
  }

  #listStatuses(): readonly AutomationStatus<Automation>[] {
    const underWay = this.#runner.tasksByAutomation();
    const unconfirmed = listUnconfirmed(this.#facts, this.#parts.hash, this.#parts.party);
    return AUTOMATIONS.map((automation) => {
      const { done, lost, failed, lastDoneAt } = this.#runner.tally.of(automation);
      const { inFlight = 0, waiting = 0, waits = [], stuck = [] } = underWay.get(automation) ?? {};
      const ofOthers = unconfirmed.get(automation) ?? [];
      return {
        automation,
        paused: this.#paused.has(automation),
        ...{ done, lost, failed, inFlight },
        waiting: waiting + ofOthers.length,
        waits: [...waits, ...ofOthers].slice(0, WAITS_SHOWN),
        nextDueAt: findNextDue(this.#facts.agenda, automation),
        ...{ lastDoneAt, stuck },
      };
    });
  }

  /** Rounds and markers are no rows that fall due each by itself. */
  #touchWhatIsDue(): void {
    const { agenda } = this.#parts;
    const isDue = (moment: Time | null) => moment !== null && moment <= agenda.now;
    if (isDue(agenda.rounds.findNextDue())) this.#runner.changed(ROUNDS);
    if (isDue(agenda.markersDue())) this.#runner.changed(MARKERS);
  }

  #look(subject: Subject): readonly Task[] {
    return this.#listTasks(subject).filter(({ automation }) => !this.#paused.has(automation));
  }

  #listTasks(subject: Subject): readonly Task[] {
    const { party: sv, hash, replica, amuletPrice = null, beneficiaries = [] } = this.#parts;
    const facts = this.#facts;
    const { rules } = facts;
    const { network } = replica.state;
    if (rules === null || network === null || !rules.svs.includes(sv)) return [];
    const deciding = { facts, rules, sv, hash };
    switch (subject.kind) {
      case "name":
        return listNameTasks({ ...deciding, acronym: network.acronym }, subject.key);
      case "contract":
        return listContractTasks(deciding, subject.key);
      case "past-round":
        return listPastRoundTasks(deciding, subject.key);
      case "request":
        return listRequestTasks(deciding, subject.key);
      case "unclaimed-rewards": {
        // What is to be allocated is not merged away meanwhile.
        const allocation = allocateRecord(deciding);
        const isPaused = this.#paused.has("allocate-activity-records");
        return allocation === null || isPaused ? listMergesOfRewards(deciding) : [allocation];
      }
      case "commands":
        return listCommandTasks(deciding, subject.key);
      case "markers":
        return listMarkerTasks(deciding);
      case "coins":
        return listCoinTasks(deciding);
      case "licenses":
        return listMergesOfLicenses(deciding, subject.key);
      case "reward-states":
        return listMergesOfRewardStates(deciding, subject.key);
      case "fund-coupons":
        return listMergesOfFund(deciding);
      case "traffic":
        return listMergesOfTraffic(deciding, subject.key);
      case "rounds":
        return listRoundTasks({ ...deciding, amuletPrice, beneficiaries });
    }
  }

  async #send(task: Task) {
    const { network } = this.#parts.replica.state;
    if (network === null) return failed("the network is not founded yet");
    return this.#submitter.send(task, network, this.#stopped.signal);
  }
}

/** A weight that shrinks later cuts what the last of them get; at the start it is a mistake of the configuration. */
function requireBeneficiaries(
  { beneficiaries = [], party }: SvAutomationParts,
  { rules }: LedgerFacts,
): void {
  const info = rules?.dsoRules.payload.svs.find(([sv]) => sv === party)?.[1];
  const fault = findBeneficiaryFault(beneficiaries, info?.svRewardWeight ?? null);
  if (fault !== null) throw new Error(`the SV's rewards cannot be shared: ${fault}`);
}
