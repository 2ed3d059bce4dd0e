import type { AnsEntry } from "@callsign/api";
import { Badge } from "../design/notice.tsx";
import { CopyButton, NameLink, PartyText, TimeText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import "./names.css";

/** Entries below each other, each with its owner (unless all have the same) and its expiry. */
export function EntryList({
  entries,
  showsOwner = true,
  primary = null,
}: {
  readonly entries: readonly AnsEntry[];
  readonly showsOwner?: boolean;
  /** The name that the party is called by. */
  readonly primary?: string | null;
}) {
  const { names, shell } = useWords();
  return (
    <ul className="entries" id="entries-table">
      {entries.map((entry) => (
        <li key={entry.name}>
          <div className="entry-name">
            <NameLink name={entry.name} />
            <CopyButton text={entry.name} label={`${shell.copyName}: ${entry.name}`} />
            {entry.name === primary ? <Badge kind="accent">{names.primary}</Badge> : null}
          </div>
          <div className="entry-note">
            {showsOwner ? <PartyText party={entry.user} /> : null}
            {entry.expires_at === null ? (
              <span>{names.neverExpires}</span>
            ) : (
              <span>
                {names.expires} <TimeText time={entry.expires_at} shows="distance" />
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
