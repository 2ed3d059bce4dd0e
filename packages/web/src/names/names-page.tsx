import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Field } from "../design/field.tsx";
import { Page, Panel } from "../design/layout.tsx";
import { MoreButton } from "../design/more-button.tsx";
import { Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { useWords } from "../words/words.ts";
import { AvailabilityVerdict } from "./availability-verdict.tsx";
import { classifyQuery } from "./classify-query.ts";
import { EntryList } from "./entry-list.tsx";
import { PartyNames } from "./party-names.tsx";
import { useAvailability, useNamesWithPrefix } from "./use-names.ts";
import { useSettled } from "./use-settled.ts";
import "./names.css";

const SETTLED_MILLISECONDS = 200;
const LONGEST_QUERY = 400;

/** The search: a name, its beginning, or a party. What is searched for is part of the address. */
export function NamesPage() {
  const { names } = useWords();
  const [typed, setTyped] = useTypedQuery();
  const query = classifyQuery(useSettled(typed, SETTLED_MILLISECONDS));
  return (
    <Page title={names.title} head={<Hero typed={typed} onType={setTyped} />}>
      {query.kind === "party" ? <PartyNames party={query.party} /> : null}
      {query.kind === "part-of-party" ? (
        <Notice kind="warn" title={names.partOfParty}>
          <p>{names.partOfPartyAdvice}</p>
        </Notice>
      ) : null}
      {query.kind === "name" ? <FoundName text={query.text} /> : null}
      {query.kind === "name" || query.kind === "nothing" ? (
        <NameList prefix={query.kind === "name" ? query.text : ""} />
      ) : null}
    </Page>
  );
}

function Hero({ typed, onType }: { readonly typed: string; readonly onType: (text: string) => void }) {
  const { names } = useWords();
  return (
    <div className="hero">
      <h1>{names.heading}</h1>
      <p className="page-lead">{names.lead}</p>
      <search>
        <Field
          className="search"
          id="entry-name-field"
          label={names.search}
          type="search"
          placeholder={names.searchExample}
          value={typed}
          onChange={onType}
          maxLength={LONGEST_QUERY}
        />
      </search>
    </div>
  );
}

/** The text in the field, which follows the address and which the address follows. */
function useTypedQuery(): readonly [string, (text: string) => void] {
  const [, navigate] = useLocation();
  const inAddress = new URLSearchParams(useSearch()).get("q") ?? "";
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  const type = (text: string) => {
    setTyped(text);
    navigate(text.trim() === "" ? "/names" : `/names?q=${encodeURIComponent(text)}`, { replace: true });
  };
  return [typed, type];
}

function FoundName({ text }: { readonly text: string }) {
  const { names } = useWords();
  const found = useAvailability(text);
  return (
    <div aria-live="polite">
      <ReadView read={found} waiting={names.looking(text)}>
        {(data) => <AvailabilityVerdict found={data} />}
      </ReadView>
    </div>
  );
}

function NameList({ prefix }: { readonly prefix: string }) {
  const { names } = useWords();
  const pages = useNamesWithPrefix(prefix);
  return (
    <Panel title={prefix === "" ? names.all : names.beginWith(prefix)}>
      <ReadView
        read={pages.read}
        waiting={names.listing}
        isEmpty={([first]) => first?.entries.length === 0}
        empty={
          prefix === "" ? (
            <Nothing title={names.noNames}>
              <p>{names.noNamesAdvice}</p>
            </Nothing>
          ) : (
            <p className="soft">{names.noneBeginWith(prefix)}</p>
          )
        }
      >
        {(read) => (
          <>
            <EntryList entries={read.flatMap(({ entries }) => entries)} />
            <MoreButton pages={pages} />
          </>
        )}
      </ReadView>
    </Panel>
  );
}
