import type { NameAvailability } from "@callsign/api";
import type { UseQueryResult } from "@tanstack/react-query";
import { ActionLink } from "../design/action.tsx";
import { ErrorNotice, Notice, Waiting } from "../design/notice.tsx";
import { NameLink, NameText, PartyText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { useParty } from "./wallet-gate.tsx";

/** Free with its price, taken with its owner, or not valid; and names that it can be mistaken for. */
export function NameVerdict({
  name,
  check,
  isChecked,
}: {
  readonly name: string;
  readonly check: UseQueryResult<NameAvailability>;
  readonly isChecked: boolean;
}) {
  const { register } = useWords();
  const found = isChecked ? check.data : undefined;
  if (isChecked && check.error !== null && found === undefined) {
    return <ErrorNotice error={check.error} onRetry={() => void check.refetch()} />;
  }
  if (found === undefined) return <Waiting>{register.verdict.checking(name)}</Waiting>;
  return (
    <div className="stack">
      <Verdict found={found} />
      <LookAlikes found={found} />
    </div>
  );
}

function Verdict({ found }: { readonly found: NameAvailability }) {
  const { register } = useWords();
  const party = useParty();
  const { entry } = found;
  if (found.available) return <FreeName found={found} />;
  if (!found.valid || entry === null) {
    return (
      <Notice kind="bad" title={register.verdict.invalid}>
        {found.problem === null ? null : <p>{found.problem}</p>}
      </Notice>
    );
  }
  const isOwn = entry.user === party;
  return (
    <Notice kind="warn" title={isOwn ? register.verdict.yours : register.verdict.taken}>
      <p>
        <NameLink name={entry.name} />
      </p>
      {isOwn ? null : (
        <p>
          {register.verdict.owner} <PartyText party={entry.user} />
        </p>
      )}
      {entry.expires_at === null ? null : (
        <p>
          {register.verdict.until} <TimeText time={entry.expires_at} />
        </p>
      )}
      {isOwn ? (
        <div>
          <ActionLink href="/my-names" kind="quiet">
            {register.outcome.toMyNames}
          </ActionLink>
        </div>
      ) : null}
    </Notice>
  );
}

function FreeName({ found: { name, price } }: { readonly found: NameAvailability }) {
  const { register } = useWords();
  const format = useFormat();
  return (
    <Notice kind="good" title={register.verdict.free}>
      <p>
        <NameText name={name} />
      </p>
      {price === null ? (
        <p>{register.verdict.noPrice}</p>
      ) : (
        <p>
          <strong>{format.usd(price.usd)}</strong>
          {price.amulet === null ? null : ` · ${format.coin(price.amulet, 4)}`}{" "}
          {register.request.each(format.length(price.lifetime_microseconds / 1000))}
        </p>
      )}
    </Notice>
  );
}

function LookAlikes({ found: { look_alikes } }: { readonly found: NameAvailability }) {
  const { register } = useWords();
  if (look_alikes.length === 0) return null;
  return (
    <Notice kind="warn" title={register.verdict.lookAlikes(look_alikes.length)}>
      <p className="notice-words">{register.verdict.lookAlikesAdvice}</p>
      <ul>
        {look_alikes.map((entry) => (
          <li key={entry.name}>
            <NameLink name={entry.name} /> <PartyText party={entry.user} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
