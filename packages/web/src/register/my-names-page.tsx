import type { OwnedEntry } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import { ActionLink } from "../design/action.tsx";
import { Page } from "../design/layout.tsx";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { useWords } from "../words/words.ts";
import { EndedRequests } from "./ended-requests.tsx";
import { OpenRequests } from "./open-requests.tsx";
import { OwnedNameCard } from "./owned-name-card.tsx";
import { WalletGate } from "./wallet-gate.tsx";
import "./my-names.css";

const WATCH_MILLISECONDS = 10_000;

/** `/my-names`: each name of the user's party, until when it lives, what is paid next, and what can be done about it. */
export function MyNamesPage() {
  const { register } = useWords();
  return (
    <WalletGate title={register.mine.title}>
      <Page title={register.mine.title} lead={register.mine.lead}>
        <MyNames />
        <OpenRequests />
        <EndedRequests />
      </Page>
    </WalletGate>
  );
}

function MyNames() {
  const { register } = useWords();
  const entries = useRead("validator", "GET /v0/entry/all", {}, { everyMilliseconds: WATCH_MILLISECONDS });
  return (
    <ReadView
      read={entries}
      waiting={register.mine.waiting}
      isEmpty={({ entries: found }) => found.length === 0}
      empty={
        <Nothing title={register.mine.none}>
          <p>{register.mine.noneAdvice}</p>
          <ActionLink href="/register">{register.title}</ActionLink>
        </Nothing>
      }
    >
      {({ entries: found }) => (
        <>
          <ul className="owned-names" id="entries-table" aria-label={register.mine.title}>
            {[...found].sort(byPlace).map((entry) => (
              <li key={entry.name}>
                <OwnedNameCard entry={entry} isOnly={found.length === 1} />
              </li>
            ))}
          </ul>
          <div>
            <ActionLink href="/register" kind="quiet">
              {register.mine.another}
            </ActionLink>
          </div>
        </>
      )}
    </ReadView>
  );
}

/** The primary name first, then the first to expire. */
function byPlace(a: OwnedEntry, b: OwnedEntry): number {
  const primary = Number(b.primary ?? false) - Number(a.primary ?? false);
  return primary !== 0 ? primary : Number(a.expiresAt) - Number(b.expiresAt);
}
