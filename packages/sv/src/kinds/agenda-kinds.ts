/** Every kind of contracts in the agenda, by template. Open rounds, coupons and coins have tables of their own. */
import type { AgendaKind, AgendaRow } from "./agenda-kind.ts";
import { COIN_KINDS } from "./coin-kinds.ts";
import { NAME_KINDS } from "./name-kinds.ts";
import { RULE_KINDS } from "./rule-kinds.ts";
import type { Subject } from "./subject.ts";

/** Rules come first: when an agenda is built from a replica's contracts, other rows depend on them. */
export const AGENDA_KINDS: readonly AgendaKind[] = [...RULE_KINDS, ...NAME_KINDS, ...COIN_KINDS];

const BY_TEMPLATE: ReadonlyMap<string, AgendaKind> = new Map(
  AGENDA_KINDS.map((kind) => [kind.template.id, kind]),
);

export function findKind(templateId: string): AgendaKind | undefined {
  return BY_TEMPLATE.get(templateId);
}

/** The subjects to decide on when the contract comes, goes or falls due. */
export function subjectsOf(row: AgendaRow): readonly Subject[] {
  return BY_TEMPLATE.get(row.template.id)?.subjectsOf?.(row) ?? [];
}
