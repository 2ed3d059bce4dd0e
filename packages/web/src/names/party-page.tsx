import { useParams } from "wouter";
import { Page } from "../design/layout.tsx";
import { CopyButton, PartyText, shortenParty } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { PartyNames } from "./party-names.tsx";

export function PartyPage() {
  const { names, shell } = useWords();
  const { party = "" } = useParams<{ party: string }>();
  const [hint = party] = party.split("::");
  const head = (
    <>
      <div className="name-head">
        <h1>{hint}</h1>
        <CopyButton text={location.href} label={shell.copyLink} what="link" />
      </div>
      <PartyText party={party} isWhole isLink={false} />
    </>
  );
  return (
    <Page title={shortenParty(party)} head={head} width="narrow">
      <p className="soft">{names.partyExplained}</p>
      <PartyNames party={party} showsParty={false} />
    </Page>
  );
}
