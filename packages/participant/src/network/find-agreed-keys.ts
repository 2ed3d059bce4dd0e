/** The signing keys that the network has for the participant, by the answers of its sequencers. */
import { HttpError } from "@callsign/api";
import { type Host, type RegisteredKeys, startDeadline } from "@callsign/node";
import { ANSWER_MILLISECONDS } from "../limits/limits.ts";
import type { SequencerClient } from "./sequencer-client.ts";

/**
 * The newest keys that enough sequencers have: those of others may lag. Null if enough of them do not know the member.
 * Rejects if too few answer, or no keys are those of enough.
 */
export async function findAgreedKeys(
  clients: readonly Pick<SequencerClient, "url" | "findKeys">[],
  { needed, host, signal }: { readonly needed: number; readonly host: Host; readonly signal: AbortSignal },
): Promise<RegisteredKeys | null> {
  const deadline = startDeadline(ANSWER_MILLISECONDS, { ...host, signals: [signal] });
  try {
    const answers = await Promise.allSettled(clients.map((client) => client.findKeys(deadline.signal)));
    const agreed = decideAgreedKeys(
      answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : [])),
      needed,
    );
    if (agreed !== undefined) return agreed;
    throw new Error(explain(answers, needed));
  } finally {
    deadline.clear();
  }
}

interface Answer {
  readonly signingKeys: readonly string[];
  readonly keySerial: number;
}

/** Undefined if there is no agreement. */
function decideAgreedKeys(
  answers: readonly (Answer | null)[],
  needed: number,
): RegisteredKeys | null | undefined {
  const votes = new Map<string, { readonly answer: Answer | null; count: number }>();
  for (const answer of answers) {
    const text = JSON.stringify(answer === null ? null : [answer.keySerial, answer.signingKeys]);
    const same = votes.get(text);
    if (same === undefined) votes.set(text, { answer, count: 1 });
    else same.count++;
  }
  const enough = [...votes.values()].filter(({ count }) => count >= needed).map(({ answer }) => answer);
  const known = enough.filter((answer) => answer !== null);
  const [newest] = known.sort((a, b) => b.keySerial - a.keySerial);
  if (newest !== undefined) return { signingKeys: newest.signingKeys, serial: BigInt(newest.keySerial) };
  return enough.length > 0 ? null : undefined;
}

function explain(answers: readonly PromiseSettledResult<unknown>[], needed: number): string {
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const answered = answers.length - failures.length;
  if (answered >= needed) return "the sequencers do not agree on the keys of this member yet: try again";
  // An unknown member is an answer: only an older release has no such operation.
  if (failures.some((failure) => failure instanceof HttpError && failure.status === 404))
    return "the sequencers run an older release, which does not tell the keys of members";
  return `${answered} of ${answers.length} sequencers tell the keys of this member, and ${needed} must`;
}
