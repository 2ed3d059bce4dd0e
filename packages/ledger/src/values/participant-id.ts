/**
 * A participant's name in contracts and scan's API: the id of its member, behind a prefix that tells it from an SV's
 * mediator and sequencer.
 */
const PREFIX = "PAR::";

export function formatParticipantId(member: string): string {
  return PREFIX + member;
}

/** The member's id; null for what names no participant. */
export function findParticipantMember(id: string): string | null {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
}
