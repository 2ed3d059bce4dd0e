import { CallError } from "../../calls/call-error.ts";
import { readNetworkClock } from "../../calls/network-clock.ts";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";

/** A vote that came before its time says when it may be sent; every other error is shown as the server tells it. */
export function VoteRefusal({
  error,
  nextVote,
}: {
  readonly error: unknown;
  /** The time from which the SV may vote again, as far as it is known. */
  readonly nextVote: string | null;
}) {
  const words = useWords().operator.votes;
  const isEarly = error instanceof CallError && error.status === 400 && nextVote !== null;
  if (!isEarly || Date.parse(nextVote) <= readNetworkClock()) return <ErrorNotice error={error} />;
  return (
    <Notice kind="bad" title={words.tooEarly}>
      <p>
        {words.tooEarlyUntil} <TimeText time={nextVote} />
      </p>
      <p className="notice-words">{words.tooEarlyAdvice}</p>
    </Notice>
  );
}
