/** Pages of a member's stream, with the position of the replica. */
import type { StreamPage } from "@callsign/api";
import type { Reply } from "@callsign/node";
import type { SqliteState } from "../replica/sqlite-state.ts";
import type { MemberStreams } from "../streams/member-streams.ts";
import type { StreamFollower } from "../streams/stream-follower.ts";
import { needSession, sealed } from "./sealed-answer.ts";
import type { Session } from "./sessions.ts";
import { attestedSerial } from "./sv-changes.ts";

interface StreamQuery {
  readonly after: bigint;
  readonly limit: number;
  readonly waitMs: number;
  readonly bodies: boolean;
}

export function makeStreamAnswers(parts: {
  readonly follower: StreamFollower;
  readonly streams: MemberStreams;
  readonly state: SqliteState;
  readonly times: () => Pick<StreamPage, "recordTime" | "now">;
}) {
  const { follower, streams, state, times } = parts;
  return {
    follow: async (
      query: StreamQuery,
      caller: Session | null,
      signal: AbortSignal,
    ): Promise<Reply<StreamPage>> => {
      const { member } = needSession(caller);
      const { limit, waitMs: waitMilliseconds, bodies } = query;
      const after = Number(query.after);
      const items = await follower.follow({ member, after, limit, waitMilliseconds, bodies, signal });
      const page: StreamPage = {
        items: [...items],
        previousDigest: streams.findDigest(member, after),
        end: streams.end(member).offset,
        ...times(),
        svSerial: Number(attestedSerial(state)),
      };
      return sealed(caller, ["follow", after, limit], page);
    },
  };
}
