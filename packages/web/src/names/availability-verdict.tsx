import type { NameAvailability } from "@callsign/api";
import { isOffered } from "../config/offered.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionLink } from "../design/action.tsx";
import { Badge, Notice } from "../design/notice.tsx";
import { CopyButton, NameLink, NameText, PartyText, TimeText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { NamePrice } from "./name-price.tsx";

/** Whether a name is free, and what it costs; taken, and by whom; or not allowed, and why. */
export function AvailabilityVerdict({ found }: { readonly found: NameAvailability }) {
  const { names } = useWords();
  if (!found.valid && found.entry === null) {
    return (
      <Notice kind="warn" title={names.notAllowed}>
        <p>{found.problem}</p>
      </Notice>
    );
  }
  return found.entry === null ? <FreeName found={found} /> : <TakenName found={found} />;
}

function FreeName({ found }: { readonly found: NameAvailability }) {
  const { names, shell } = useWords();
  const config = useWebConfig();
  const chosen = found.name.split(".")[0] ?? found.name;
  return (
    <section className="verdict" data-kind="free" aria-label={names.freeLabel(found.name)}>
      <div className="verdict-head">
        <div className="verdict-name">
          <span>
            <NameText name={found.name} />
            <CopyButton text={found.name} label={shell.copyName} />
          </span>
          <Badge kind="good">{names.free}</Badge>
        </div>
        {isOffered("validator", config) && found.available ? (
          <ActionLink href={`/register/${encodeURIComponent(chosen)}`} id="request-entry-with-sub-button">
            {names.getIt}
          </ActionLink>
        ) : null}
      </div>
      <NamePrice price={found.price} />
      <LookAlikes entries={found.look_alikes} />
    </section>
  );
}

function TakenName({ found: { entry, name, look_alikes } }: { readonly found: NameAvailability }) {
  const { names, shell } = useWords();
  if (entry === null) return null;
  return (
    <section className="verdict" aria-label={names.takenLabel(name)}>
      <div className="verdict-head">
        <div className="verdict-name">
          <span>
            <NameLink name={entry.name} />
            <CopyButton text={entry.name} label={shell.copyName} />
          </span>
          <Badge>{names.taken}</Badge>
        </div>
      </div>
      <p>
        <span className="soft">{names.ownedBy} </span>
        <PartyText party={entry.user} />
      </p>
      <p className="soft">
        {entry.expires_at === null ? (
          names.neverExpires
        ) : (
          <>
            {names.takenUntil} <TimeText time={entry.expires_at} />
          </>
        )}
      </p>
      <LookAlikes entries={look_alikes} />
    </section>
  );
}

/** Names that people may take for this one. */
export function LookAlikes({ entries }: { readonly entries: NameAvailability["look_alikes"] }) {
  const { names } = useWords();
  if (entries.length === 0) return null;
  return (
    <Notice kind="warn" title={names.lookAlikes}>
      <ul className="look-alikes">
        {entries.map(({ name }) => (
          <li key={name}>
            <NameLink name={name} />
          </li>
        ))}
      </ul>
      <p className="notice-words">{names.lookAlikesAdvice}</p>
    </Notice>
  );
}
