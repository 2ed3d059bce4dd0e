import type { ActiveContract } from "@callsign/api";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/call.ts";
import { useWebConfig } from "../../config/web-config.ts";
import { Field } from "../../design/field.tsx";
import { Fact, Facts, Panel } from "../../design/layout.tsx";
import { PartyText, TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { formatOf } from "./event-format.ts";
import { PagedItems } from "./paged-items.tsx";
import { shortenTemplate } from "./template-name.ts";
import { ContractId, ValueTree } from "./value-tree.tsx";

const PAGE = 50;

interface PartyProps {
  readonly party: string;
  readonly token: string;
}

/** Active contracts of the party, a page at a time, with a filter by template. */
export function Contracts({ party, token }: PartyProps) {
  const { ledger: words } = useWords().developer;
  const [filter, setFilter] = useState("");
  const pages = useContractPages({ party, token });
  const events = (pages.data?.pages ?? []).flatMap(({ activeContracts }) =>
    activeContracts.flatMap(createdOf),
  );
  const shown = events.filter(({ templateId }) =>
    templateId.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <Panel title={words.views.contracts}>
      <Field id="contract-filter" label={words.filter} value={filter} onChange={setFilter} type="search" />
      <PagedItems
        pages={pages}
        items={shown}
        keyOf={({ contractId }) => contractId}
        waiting={words.waitingContracts}
        empty={filter === "" ? words.noContracts : words.noMatch}
      >
        {(event) => <Contract event={event} />}
      </PagedItems>
    </Panel>
  );
}

function useContractPages({ party, token }: PartyProps) {
  const config = useWebConfig();
  return useInfiniteQuery({
    queryKey: ["ledger", "contracts", party],
    initialPageParam: null as { readonly token: string; readonly offset: number } | null,
    queryFn: ({ pageParam, signal }) => {
      const body = {
        ...{ eventFormat: formatOf(party), maxPageSize: PAGE },
        ...{ pageToken: pageParam?.token ?? null, activeAtOffset: pageParam?.offset ?? null },
      };
      return call(config, "ledger", "POST /v2/state/active-contracts-page", { body }, { token, signal });
    },
    getNextPageParam: ({ nextPageToken, activeAtOffset }) =>
      nextPageToken === null ? null : { token: nextPageToken, offset: activeAtOffset },
  });
}

function createdOf({ contractEntry }: ActiveContract) {
  return "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent] : [];
}

type Created = ReturnType<typeof createdOf>[number];

function Contract({ event }: { readonly event: Created }) {
  const { ledger: words } = useWords().developer;
  const { name, module } = shortenTemplate(event.templateId);
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <span className="item-head">
          <strong>{name}</strong>
          <span className="soft small">{module}</span>
          <span className="soft small">
            <TimeText time={event.createdAt} shows="time" />
          </span>
        </span>
      </summary>
      {isOpen ? (
        <div className="item-body">
          <Facts>
            <Fact term={words.contractId}>
              <ContractId id={event.contractId} />
            </Fact>
            <Fact term={words.signatories}>
              <Parties parties={event.signatories} />
            </Fact>
            {event.observers.length === 0 ? null : (
              <Fact term={words.observers}>
                <Parties parties={event.observers} />
              </Fact>
            )}
          </Facts>
          <ValueTree value={event.createArgument} />
        </div>
      ) : null}
    </details>
  );
}

function Parties({ parties }: { readonly parties: readonly string[] }) {
  return (
    <ul>
      {parties.map((party) => (
        <li key={party}>
          <PartyText party={party} />
        </li>
      ))}
    </ul>
  );
}
