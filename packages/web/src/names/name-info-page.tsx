import type { AnsEntry } from "@callsign/api";
import { Fact, Facts, Page, Panel } from "../design/layout.tsx";
import { Badge } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { CopyButton, NameLink, NameText, OthersLink, PartyText, TimeText } from "../design/texts.tsx";
import { useAddressPart } from "../routing/use-address-part.ts";
import { useWords } from "../words/words.ts";
import { AvailabilityVerdict, LookAlikes } from "./availability-verdict.tsx";
import { NameHistory } from "./name-history.tsx";
import { useAvailability, useNamesOfParty } from "./use-names.ts";
import "./names.css";

/** One name: its entry, or that it is free, and its past. */
export function NameInfoPage() {
  const { names, shell } = useWords();
  const given = useAddressPart("name");
  const read = useAvailability(given);
  const name = read.data?.name ?? given;
  const head = (
    <div className="name-head">
      <h1>
        <NameText name={name} />
      </h1>
      <CopyButton text={name} label={shell.copyName} />
      {read.data?.available === true ? <Badge kind="good">{names.free}</Badge> : null}
    </div>
  );
  return (
    <Page title={name} head={head}>
      <ReadView read={read} waiting={names.looking(given)}>
        {(found) =>
          found.entry === null ? (
            <div className="stack">
              <AvailabilityVerdict found={found} />
              {found.valid ? <NameHistory name={found.name} /> : null}
            </div>
          ) : (
            <div className="stack">
              <LookAlikes entries={found.look_alikes} />
              <div className="name-columns">
                <Entry entry={found.entry} />
                <NameHistory name={found.entry.name} />
              </div>
            </div>
          )
        }
      </ReadView>
    </Page>
  );
}

function Entry({ entry }: { readonly entry: AnsEntry }) {
  const { names, shell } = useWords();
  return (
    <Panel title={names.entry} aside={<CopyButton text={location.href} label={shell.copyLink} what="link" />}>
      <Facts>
        <Fact term={names.owner}>
          <PartyText party={entry.user} />
          <OwnersName entry={entry} />
        </Fact>
        <Fact term={names.expiry}>
          {entry.expires_at === null ? names.neverExpires : <TimeText time={entry.expires_at} />}
        </Fact>
        <Fact term={names.link}>
          {entry.url === "" ? <span className="soft">{names.none}</span> : <OthersLink url={entry.url} />}
        </Fact>
        <Fact term={names.description}>
          {entry.description === "" ? <span className="soft">{names.none}</span> : entry.description}
        </Fact>
        {entry.contract_id === null ? null : (
          <Fact term={names.contract}>
            <span className="party">
              <span className="mono">{entry.contract_id}</span>
              <CopyButton text={entry.contract_id} label={names.copyContract} />
            </span>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** The name that the owner is called by, if it is another one. */
function OwnersName({ entry }: { readonly entry: AnsEntry }) {
  const { names } = useWords();
  const primary = useNamesOfParty(entry.user).read.data?.[0]?.primary;
  if (primary == null) return null;
  return (
    <div className="small soft">
      {primary.name === entry.name ? (
        names.isCalledByIt
      ) : (
        <>
          {names.calledBy} <NameLink name={primary.name} />
        </>
      )}
    </div>
  );
}
