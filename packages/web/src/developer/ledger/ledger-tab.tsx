import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/call.ts";
import { useWebConfig } from "../../config/web-config.ts";
import { Choice } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Nothing } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { PartyText, shortenParty } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { Contracts } from "./contracts.tsx";
import { Transactions } from "./transactions.tsx";
import { type Reader, useReaders } from "./use-readers.ts";
import "../developer.css";

const VIEWS = ["contracts", "transactions"] as const;

/** Contracts and transactions as one party of this node sees them. */
export function LedgerTab() {
  const { ledger: words } = useWords().developer;
  const readers = useReaders();
  return (
    <ReadView
      read={readers}
      waiting={words.waitingParties}
      isEmpty={(found) => found.readers.length === 0}
      empty={<Nothing title={words.noParties} />}
    >
      {(found) => <LedgerOf readers={found.readers} />}
    </ReadView>
  );
}

function LedgerOf({ readers }: { readonly readers: readonly Reader[] }) {
  const { ledger: words } = useWords().developer;
  const [party, setParty] = useState(readers[0]?.party ?? "");
  const [view, setView] = useState<(typeof VIEWS)[number]>("contracts");
  const reader = readers.find((each) => each.party === party) ?? readers[0];
  const token = useTokenOf(reader?.user ?? "");
  if (reader === undefined) return null;
  return (
    <>
      <Panel title={words.title}>
        <p className="soft">{words.lead}</p>
        <div className="columns">
          <Choice
            id="ledger-party"
            label={words.party}
            value={reader.party}
            onChange={setParty}
            options={readers.map((each) => ({ value: each.party, label: shortenParty(each.party) }))}
          />
          <Choice
            id="ledger-view"
            label={words.view}
            value={view}
            onChange={setView}
            options={VIEWS.map((value) => ({ value, label: words.views[value] }))}
          />
        </div>
        <p className="row">
          <PartyText party={reader.party} />
          <span className="soft">{words.readBy(reader.user)}</span>
        </p>
      </Panel>
      <ReadView read={token}>
        {(known) =>
          view === "contracts" ? (
            <Contracts key={reader.party} party={reader.party} token={known} />
          ) : (
            <Transactions key={reader.party} party={reader.party} token={known} />
          )
        }
      </ReadView>
    </>
  );
}

function useTokenOf(user: string) {
  const config = useWebConfig();
  return useQuery({
    queryKey: ["localNetwork", "token", user],
    queryFn: async ({ signal }) => {
      const request = { params: { user } };
      const made = await call(config, "localNetwork", "POST /ext/v1/users/{user}/token", request, { signal });
      return made.token;
    },
  });
}
