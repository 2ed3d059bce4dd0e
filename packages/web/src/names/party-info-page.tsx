import { Page } from "../design/layout.tsx";
import { CopyButton, PartyText, shortenParty } from "../design/texts.tsx";
import { useAddressPart } from "../routing/use-address-part.ts";
import { useWords } from "../words/words.ts";
import { PartyNames } from "./party-names.tsx";

export function PartyInfoPage() {
  const { names, shell } = useWords();
  const party = useAddressPart("party");
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
    <Page title={shortenParty(party)} head={head} lead={names.partyExplained}>
      <PartyNames party={party} showsParty={false} />
    </Page>
  );
}
