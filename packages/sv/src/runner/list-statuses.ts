/** The status of every automation: tasks of this SV, and actions that it confirmed and others have not confirmed yet. */
import { Confirmation, type Hash, type PartyId, type Time } from "@callsign/ledger";
import {
  type AutomationStatus,
  type AutomationWait,
  SHOWN_TASKS,
  type Tally,
  type TasksStatus,
} from "@callsign/node";
import { DSO_AUTOMATIONS, type SvAutomationName } from "../automation/automations.ts";
import type { DsoAutomation } from "../automation/dso-automation.ts";
import type { LedgerFacts } from "../automation/ledger-facts.ts";
import { actionText } from "../kinds/action-text.ts";
import { MANY } from "../limits/limits.ts";

export interface StatusParts {
  readonly facts: LedgerFacts;
  readonly hash: Hash;
  readonly sv: PartyId;
  readonly paused: ReadonlySet<string>;
  readonly tally: Tally;
  readonly tasks: ReadonlyMap<string, TasksStatus>;
}

export function listStatuses(parts: StatusParts): readonly AutomationStatus<SvAutomationName>[] {
  const { facts, paused, tally, tasks } = parts;
  const unconfirmed = listUnconfirmed(parts);
  return DSO_AUTOMATIONS.map((automation) => {
    const { name } = automation;
    const { inFlight = 0, waiting = 0, waits = [], stuck = [] } = tasks.get(name) ?? {};
    const ofOthers = unconfirmed.get(name) ?? [];
    return {
      ...{ automation: name, paused: paused.has(name), ...tally.of(name), inFlight, stuck },
      waiting: waiting + ofOthers.length,
      waits: [...waits, ...ofOthers].slice(0, SHOWN_TASKS),
      nextDueAt: findNextDue(facts, automation),
    };
  });
}

/** The next moment, later than now, at which time alone makes a task of the automation due. */
function findNextDue(facts: LedgerFacts, automation: DsoAutomation): Time | null {
  const { now, agenda } = facts;
  const { contracts = [], moments, shownMoments } = automation;
  const all: readonly bigint[] = [
    ...contracts.flatMap((template) => agenda.rows.findNextDueOf(template, now) ?? []),
    ...(shownMoments?.(facts) ?? moments?.(facts).map(({ at }) => at) ?? []),
  ];
  const later = all.filter((moment) => moment > now).sort((a, b) => (a < b ? -1 : 1));
  return (later[0] ?? null) as Time | null;
}

/** By automation, actions that this SV has confirmed and that wait for confirmations of others. */
function listUnconfirmed({ facts, hash, sv }: StatusParts): ReadonlyMap<string, readonly AutomationWait[]> {
  const waits = new Map<string, AutomationWait[]>();
  for (const { payload } of facts.list(Confirmation, MANY)) {
    const { confirmer, expiresAt, action } = payload;
    if (confirmer !== sv || expiresAt <= facts.now) continue;
    const automation = (DSO_AUTOMATIONS as readonly DsoAutomation[]).find(({ awaits }) =>
      awaits?.({ facts, hash }, action),
    );
    if (automation === undefined) continue;
    const task = `confirm ${actionText(action)}`;
    const its = waits.get(automation.name) ?? [];
    its.push({ task, for: "confirmations", reason: null, details: null });
    waits.set(automation.name, its);
  }
  return waits;
}
