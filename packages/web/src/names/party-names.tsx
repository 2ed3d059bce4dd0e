import { Panel } from "../design/layout.tsx";
import { MoreButton } from "../design/more-button.tsx";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { NameLink, PartyText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { EntryList } from "./entry-list.tsx";
import { useNamesOfParty } from "./use-names.ts";

/** All names of a party, and the one that it is called by. */
export function PartyNames({
  party,
  showsParty = true,
}: {
  readonly party: string;
  readonly showsParty?: boolean;
}) {
  const { names } = useWords();
  const pages = useNamesOfParty(party);
  return (
    <Panel title={names.ofParty}>
      {showsParty ? <PartyText party={party} isWhole /> : null}
      <ReadView
        read={pages.read}
        waiting={names.listing}
        isEmpty={([first]) => first?.entries.length === 0}
        empty={
          <Nothing title={names.partyHasNone}>
            <p>{names.partyHasNoneAdvice}</p>
          </Nothing>
        }
      >
        {(read) => (
          <>
            {read[0]?.primary == null ? null : (
              <p>
                <span className="soft">{names.calledBy} </span>
                <NameLink name={read[0].primary.name} />
              </p>
            )}
            <EntryList
              entries={read.flatMap(({ entries }) => entries)}
              showsOwner={false}
              primary={read[0]?.primary?.name ?? null}
            />
            <MoreButton pages={pages} />
          </>
        )}
      </ReadView>
    </Panel>
  );
}
