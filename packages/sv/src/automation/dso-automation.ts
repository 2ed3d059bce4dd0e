/**
 * An automation of an SV: one object in a file of its name. It says which subjects concern it, when time makes it due,
 * and which tasks a subject has now. Decisions are pure: they depend on the replica's contracts at one entry of the log
 * and on configuration, so every SV reaches the same.
 */
import type {
  ActionRequiringConfirmation,
  AnyTemplateDeclaration,
  ArgumentOf,
  BeneficiaryShare,
  ChoiceName,
  Command,
  Decimal,
  DsoRules,
  Hash,
  Network,
  PartyId,
  SvSet,
  Time,
} from "@callsign/ledger";
import type { SharedTask } from "@callsign/node";
import type { Subject, SubjectKind } from "../kinds/subject.ts";
import type { ApprovedSv } from "../onboarding/approve-candidate.ts";
import type { DsoRulesFacts, LedgerFacts } from "./ledger-facts.ts";

/** The places at which others reach this SV's node, as its `SvNodeState` is to show them. */
export interface NodeAddresses {
  /** The member that the sequencer is. */
  readonly sequencerId: string;
  readonly sequencer: string;
  /** Without `/api/scan`. */
  readonly scan: string;
}

/** Everything that a decision may depend on. */
export interface Deciding {
  readonly facts: LedgerFacts;
  readonly rules: DsoRulesFacts;
  readonly sv: PartyId;
  readonly hash: Hash;
  readonly network: Network;
  /** The coin's price in dollars that this SV votes for as long as it has not voted; null: no vote. */
  readonly amuletPrice: Decimal | null;
  /** The parties that share this SV's rewards. */
  readonly beneficiaries: readonly BeneficiaryShare[];
  /** Null: this SV publishes nothing, or does not listen yet. */
  readonly addresses: () => NodeAddresses | null;
  /** The candidates that this SV's operator lets in. */
  readonly approvedSvs: readonly ApprovedSv[];
  /** True if the registered member hosts the party. */
  readonly isHostedBy: (party: PartyId, member: string) => boolean;
  readonly isPaused: (automation: string) => boolean;
  /** A choice of DsoRules, in the name of this SV. */
  readonly exercise: <C extends DsoChoice>(choice: C, argument: DsoArgument<C>) => Command;
  /** A task of one such choice, which takes one SV unless `takes` says otherwise. */
  readonly task: <C extends DsoChoice>(
    key: string,
    choice: C,
    argument: DsoArgument<C>,
    takes?: SharedTask["takes"],
  ) => DecidedTask;
}

export type DsoChoice = ChoiceName<typeof DsoRules>;
/** The SV itself is added. */
export type DsoArgument<C extends DsoChoice> = Omit<ArgumentOf<(typeof DsoRules)["choices"][C]>, "sv">;

/** One transaction that makes the task go away. */
export interface DecidedTask extends Omit<SharedTask, "automation"> {
  readonly commands: readonly Command[];
  /** The set of SVs that it attests, in place of a transaction; none if omitted. */
  readonly attests?: SvSet;
}

export interface DsoTask extends DecidedTask {
  readonly automation: string;
}

export interface Moment {
  readonly at: Time;
  readonly subject: Subject;
}

export interface DsoAutomation<Name extends string = string> {
  /** Its name in configuration, metrics and status. */
  readonly name: Name;
  /** The kinds of subjects it decides on; `kinds/` says which contracts belong to them. */
  readonly subjects: readonly SubjectKind[];
  readonly decide: (deciding: Deciding, subject: Subject) => readonly DecidedTask[];
  /** True if SVs that have left do it as well. */
  readonly forFormerSvs?: true;
  /** Templates of contracts that it acts on one by one, at once or when time makes them due. */
  readonly contracts?: readonly AnyTemplateDeclaration[];
  /** Moments, past or to come, at which a subject falls due although none of its contracts does. */
  readonly moments?: (facts: LedgerFacts) => readonly Moment[];
  /** Moments that the status shows in place of those. */
  readonly shownMoments?: (facts: LedgerFacts) => readonly Time[];
  /** Subjects without due rows, decided on once at the start. */
  readonly listPiles?: (facts: LedgerFacts, rules: DsoRulesFacts) => readonly Subject[];
  /** True if the action is one that this automation confirms, and it can still be executed. */
  readonly awaits?: (
    deciding: Pick<Deciding, "facts" | "hash">,
    action: ActionRequiringConfirmation,
  ) => boolean;
}

/** Keeps the name's own type. */
export function defineAutomation<const Name extends string>(
  automation: DsoAutomation<Name>,
): DsoAutomation<Name> {
  return automation;
}
