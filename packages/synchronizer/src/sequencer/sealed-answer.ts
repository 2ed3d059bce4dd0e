/** Answers to a member in its session, which the session's key authenticates. */
import { ANSWER_SEAL_HEADER, sealedText } from "@callsign/api";
import { RawJson, Reply } from "@callsign/node";
import type { Session } from "./sessions.ts";

/** Operations of members have passed `authenticate`. */
export function needSession(caller: Session | null): Session {
  if (caller === null) throw new Error("a member's operation was called without a session");
  return caller;
}

/** The answer with its authentication by the session's key. */
export function sealed<T>(
  caller: Session | null,
  [operation, ...asked]: readonly [string, ...(readonly (string | number)[])],
  answer: T,
): Reply<T> {
  const body = JSON.stringify(answer);
  const seal = needSession(caller).key?.seal(sealedText({ operation, asked, body }));
  return new Reply<T>(
    new RawJson(body),
    seal === undefined ? {} : { headers: { [ANSWER_SEAL_HEADER]: seal } },
  );
}
