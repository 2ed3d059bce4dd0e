/**
 * Runs an SV's automations. They react to entries that the SV's own replica applies; *now* is the replica's record time.
 * Doing the work makes the task stale, so restarts, duplicates and two instances of one SV are harmless.
 */
import {
  type BeneficiaryShare,
  type Decimal,
  findBeneficiaryFault,
  type Hash,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import {
  type AutomationStatus,
  checkPaused,
  DONE,
  failed,
  type Host,
  type Log,
  rankOf,
  type SubjectOutcome,
  SubjectRunner,
  type SubjectRunnerStatus,
  type TriggerMetrics,
} from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import type { Agenda } from "../agenda/agenda.ts";
import { DSO_AUTOMATIONS, SV_AUTOMATION_NAMES, type SvAutomationName } from "../automation/automations.ts";
import type {
  Deciding,
  DsoAutomation,
  DsoTask,
  Moment,
  NodeAddresses,
} from "../automation/dso-automation.ts";
import { exerciseDsoRules } from "../automation/exercise-dso-rules.ts";
import { LedgerFacts, type UnusedSecrets } from "../automation/ledger-facts.ts";
import { ROUNDS, type Subject, type SubjectKind, subjectId } from "../kinds/subject.ts";
import { SUBMISSION_LIFETIME } from "../limits/limits.ts";
import type { ApprovedSv } from "../onboarding/approve-candidate.ts";
import { listUnattestedSets } from "../onboarding/unattested-sets.ts";
import type { SvSubmitter } from "../submission/sv-submitter.ts";
import { listStatuses } from "./list-statuses.ts";
import { Sweep } from "./sweep.ts";

export interface SvAutomationsParts {
  readonly replica: Replica;
  readonly agenda: Agenda;
  readonly secrets: UnusedSecrets;
  readonly submitter: SvSubmitter;
  readonly party: PartyId;
  /** The SV's own keys as a member. */
  readonly member: { readonly id: string; readonly namespaceKey: string };
  /** The candidates that its operator lets in. */
  readonly approvedSvs?: readonly ApprovedSv[];
  readonly hash: Hash;
  readonly host: Host;
  readonly log: Log;
  /** The coin's price in dollars that this SV votes for as long as it has not voted. */
  readonly amuletPrice?: Decimal | undefined;
  /** The parties that share this SV's rewards, in basis points of weight; the SV gets the rest. */
  readonly beneficiaries?: readonly BeneficiaryShare[];
  /** The places that this SV publishes, known once it listens; none if omitted. */
  readonly addresses?: () => NodeAddresses | null;
  /** Automations that this SV leaves to the others. */
  readonly paused?: readonly string[];
  readonly metrics?: TriggerMetrics | undefined;
}

export interface SvAutomationsStatus extends SubjectRunnerStatus {
  readonly idle: boolean;
  /** The last entry that the SV's replica has applied. */
  readonly sequence: number;
  /** The share of answered submissions that another SV was faster with. */
  readonly lostShare: number;
  /** Every automation, in the order of `SV_AUTOMATION_NAMES`. */
  readonly automations: readonly AutomationStatus<SvAutomationName>[];
}

export class SvAutomations {
  readonly #parts: SvAutomationsParts;
  readonly #facts: LedgerFacts;
  readonly #sweep: Sweep;
  readonly #runner: SubjectRunner<Subject, DsoTask>;
  readonly #paused: Set<string>;
  #active: ActiveAutomations;
  #lastDeciding: Deciding | null = null;
  #stopped = new AbortController();
  #stopListening: (() => void) | null = null;

  /** Throws for a configuration that cannot be meant. */
  constructor(parts: SvAutomationsParts) {
    const { agenda, replica, secrets, hash, party, log, host, metrics } = parts;
    this.#parts = parts;
    this.#paused = new Set(checkPaused(parts.paused ?? [], SV_AUTOMATION_NAMES, "an SV"));
    this.#active = this.#listActive();
    const svSets = { listUnattested: () => listUnattestedSets(replica.state, parts.member) };
    this.#facts = new LedgerFacts(agenda, replica.state, { secrets, svSets });
    requireBeneficiaries(parts, this.#facts);
    this.#sweep = new Sweep(agenda, () => this.#listPiles());
    this.#runner = new SubjectRunner({
      idOf: subjectId,
      decide: (subject) => this.#decide(subject),
      sweep: () => this.#sweep.next(),
      restartSweep: () => this.#sweep.restart(),
      rank: ({ key }) => rankOf(hash, key, party, this.#facts.rules?.svs ?? []),
      perform: (task) => this.#perform(task),
      ledgerTime: () => agenda.now,
      ...{ host, log, metrics },
    });
  }

  start(): void {
    const { agenda, replica } = this.#parts;
    this.#stopListening?.();
    this.#stopped = new AbortController();
    const stopAgenda = agenda.listen({
      subjectChanged: (subject) => this.#runner.changed(subject),
      subjectEnded: (subject) => this.#runner.ended(subject),
      rulesChanged: () => this.#sweep.restartPending(),
    });
    const stopReplica = replica.onApplied(() => {
      for (const { at, subject } of this.#listMoments()) if (at <= agenda.now) this.#runner.changed(subject);
      this.#runner.wake();
    });
    this.#stopListening = () => {
      stopAgenda();
      stopReplica();
    };
    this.#sweep.restart();
    this.#runner.changed(ROUNDS);
    this.#runner.start();
  }

  /** Sends nothing more and forgets tasks in flight: the ledger knows them. */
  async stop(): Promise<void> {
    this.#stopListening?.();
    this.#stopListening = null;
    this.#stopped.abort(new Error("the SV's automations were stopped"));
    await this.#runner.stop();
  }

  /** Leaves the automation to the other SVs, or takes it up again, until the process ends. */
  setPaused(name: SvAutomationName, paused: boolean): void {
    if (this.#paused.has(name) === paused) return;
    if (paused) this.#paused.add(name);
    else this.#paused.delete(name);
    this.#active = this.#listActive();
    this.#runner.changed(ROUNDS);
    this.#runner.decideAgain();
  }

  /**
   * Resolves when this SV has no task left at its replica's head. A stuck task is not waited for. Other SVs may still
   * have to act, and this one again after them.
   */
  idle(): Promise<void> {
    return this.#runner.idle();
  }

  /** True if its replica has applied that entry, and no task is left. */
  isIdleAt(sequence: number): boolean {
    return this.#runner.isIdle && this.#parts.replica.state.head.sequence >= sequence;
  }

  /** The next moment, later than now, at which time alone makes something due; null if there is none. */
  nextDue(): Time | null {
    const { now, rows } = this.#parts.agenda;
    let next = rows.findNextDue(now);
    for (const { at } of this.#listMoments()) if (at > now && (next === null || at < next)) next = at;
    return next as Time | null;
  }

  status(): SvAutomationsStatus {
    const { hash, party, replica } = this.#parts;
    const status = this.#runner.status();
    const answered = status.accepted + status.lost + status.failed;
    const automations = listStatuses({
      ...{ facts: this.#facts, hash, sv: party, paused: this.#paused, tally: this.#runner.tally },
      tasks: this.#runner.tasksByAutomation(),
    });
    return {
      ...status,
      idle: this.#runner.isIdle,
      sequence: replica.state.head.sequence,
      lostShare: answered === 0 ? 0 : status.lost / answered,
      automations,
    };
  }

  #listActive(): ActiveAutomations {
    return arrangeAutomations(DSO_AUTOMATIONS.filter(({ name }) => !this.#paused.has(name)));
  }

  #listMoments(): readonly Moment[] {
    return this.#active.moments.flatMap((moments) => moments(this.#facts));
  }

  #listPiles(): readonly Subject[] {
    const { rules } = this.#facts;
    if (rules === null) return [];
    return this.#active.all.flatMap(({ listPiles }) => listPiles?.(this.#facts, rules) ?? []);
  }

  #decide(subject: Subject): readonly DsoTask[] {
    const deciding = this.#deciding();
    if (deciding === null) return [];
    const isSv = deciding.rules.svs.includes(deciding.sv);
    const tasks: DsoTask[] = [];
    for (const { name, decide, forFormerSvs } of this.#automationsFor(subject)) {
      if (!isSv && !forFormerSvs) continue;
      this.#parts.metrics?.countIteration(name);
      for (const task of decide(deciding, subject)) tasks.push({ ...task, automation: name });
    }
    return tasks;
  }

  /** A contract by itself concerns only automations that name its template. */
  #automationsFor({ kind, key }: Subject): readonly DsoAutomation[] {
    const concerned = this.#active.bySubject.get(kind) ?? [];
    if (kind !== "contract") return concerned;
    const template = this.#parts.agenda.rows.find(key)?.template;
    return concerned.filter(({ contracts = [] }) => template !== undefined && contracts.includes(template));
  }

  /** The same until the rules change. Null as long as the network is not founded. */
  #deciding(): Deciding | null {
    const { party: sv, hash, replica, amuletPrice = null, beneficiaries = [] } = this.#parts;
    const facts = this.#facts;
    const { rules } = facts;
    const { network } = replica.state;
    if (rules === null || network === null) return null;
    if (this.#lastDeciding?.rules === rules && this.#lastDeciding.network === network)
      return this.#lastDeciding;
    const addresses = () => this.#parts.addresses?.() ?? null;
    const isPaused = (automation: string) => this.#paused.has(automation);
    this.#lastDeciding = {
      ...{ facts, rules, network, sv, hash, amuletPrice, beneficiaries, addresses, isPaused },
      approvedSvs: this.#parts.approvedSvs ?? [],
      isHostedBy: (party, member) => {
        const isMember = replica.state.findMember(member) !== undefined;
        return isMember && replica.state.findHosting(party)?.hosts.includes(member) === true;
      },
      ...exerciseDsoRules(rules, sv),
    };
    return this.#lastDeciding;
  }

  async #perform({ key, commands, attests }: DsoTask): Promise<SubjectOutcome> {
    const { hash, submitter } = this.#parts;
    const { signal } = this.#stopped;
    const error =
      attests === undefined
        ? await submitter.submit(commands, { commandId: hash(key), lifetime: SUBMISSION_LIFETIME, signal })
        : await submitter.attestSvs(attests, signal);
    return error === null ? DONE : failed(`${error.code}: ${error.cause}`);
  }
}

interface ActiveAutomations {
  readonly all: readonly DsoAutomation[];
  readonly bySubject: ReadonlyMap<SubjectKind, readonly DsoAutomation[]>;
  readonly moments: readonly NonNullable<DsoAutomation["moments"]>[];
}

/** Every entry of the log asks for the automations of a few subjects, and for all moments. */
function arrangeAutomations(all: readonly DsoAutomation[]): ActiveAutomations {
  const kinds = new Set(all.flatMap(({ subjects }) => subjects));
  const concerned = (kind: SubjectKind) => all.filter(({ subjects }) => subjects.includes(kind));
  return {
    all,
    bySubject: new Map([...kinds].map((kind) => [kind, concerned(kind)])),
    moments: all.flatMap(({ moments }) => moments ?? []),
  };
}

/** A weight that shrinks later cuts the last shares; at the start it is a mistake of the configuration. */
function requireBeneficiaries(
  { beneficiaries = [], party }: SvAutomationsParts,
  { rules }: LedgerFacts,
): void {
  const info = rules?.dsoRules.payload.svs.find(([sv]) => sv === party)?.[1];
  const fault = findBeneficiaryFault(beneficiaries, info?.svRewardWeight ?? null);
  if (fault !== null) throw new Error(`the SV's rewards cannot be shared: ${fault}`);
}
