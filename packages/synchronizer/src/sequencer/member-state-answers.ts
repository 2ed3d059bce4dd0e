/** The state of a member's parties, for a member that lacks pruned items of its stream. */
import type { MemberState } from "../streams/member-state.ts";
import type { MemberStreams } from "../streams/member-streams.ts";
import { needSession, sealed } from "./sealed-answer.ts";
import type { Session } from "./sessions.ts";

export function memberStateAnswers(state: MemberState, streams: Pick<MemberStreams, "end">) {
  return {
    listHostedParties: (after: string, caller: Session | null) => {
      const { member } = needSession(caller);
      const { offset, digest } = streams.end(member);
      const page = { end: { offset, digest }, ...state.listParties(member, after) };
      return sealed(caller, ["listHostedParties", after], page);
    },
    listHeldContracts: (after: string, caller: Session | null) => {
      const page = state.listContracts(needSession(caller).member, after);
      return sealed(caller, ["listHeldContracts", after], page);
    },
  };
}
