import type { Transaction } from "@callsign/api";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/call.ts";
import { useWebConfig } from "../../config/web-config.ts";
import { ActionButton } from "../../design/action.tsx";
import { Fact, Facts, Panel } from "../../design/layout.tsx";
import { Badge, type NoticeKind } from "../../design/notice.tsx";
import { TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { formatOf } from "./event-format.ts";
import { PagedItems } from "./paged-items.tsx";
import { shortenId, shortenTemplate } from "./template-name.ts";
import { ContractId, ValueTree } from "./value-tree.tsx";

const PAGE = 25;

interface PartyProps {
  readonly party: string;
  readonly token: string;
}

/** The last transactions that the party saw, newest first. */
export function Transactions({ party, token }: PartyProps) {
  const { ledger: words } = useWords().developer;
  const pages = useTransactionPages({ party, token });
  const shown = (pages.data?.pages ?? []).flatMap(({ updates }) =>
    updates.flatMap(({ update }) => ("Transaction" in update ? [update.Transaction.value] : [])),
  );
  return (
    <Panel
      title={words.views.transactions}
      aside={
        <ActionButton
          kind="quiet"
          size="small"
          isPending={pages.isFetching}
          onPress={() => void pages.refetch()}
        >
          {words.refresh}
        </ActionButton>
      }
    >
      <PagedItems
        pages={pages}
        items={shown}
        keyOf={({ updateId }) => updateId}
        waiting={words.waitingTransactions}
        empty={words.noTransactions}
      >
        {(transaction) => <TransactionView transaction={transaction} />}
      </PagedItems>
    </Panel>
  );
}

function useTransactionPages({ party, token }: PartyProps) {
  const config = useWebConfig();
  return useInfiniteQuery({
    queryKey: ["ledger", "transactions", party],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const includeTransactions = {
        eventFormat: formatOf(party),
        transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" as const,
      };
      const updateFormat = { includeTransactions, includeReassignments: null, includeTopologyEvents: null };
      const bounds = { beginOffsetExclusive: null, endOffsetInclusive: null };
      const body = {
        ...bounds,
        updateFormat,
        maxPageSize: PAGE,
        descendingOrder: true,
        pageToken: pageParam,
      };
      return call(config, "ledger", "POST /v2/updates/get-updates-page", { body }, { token, signal });
    },
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
}

function TransactionView({ transaction }: { readonly transaction: Transaction }) {
  const { ledger: words } = useWords().developer;
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const events = transaction.events.map(readEvent);
  const [first] = events;
  return (
    <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <span className="item-head">
          <strong>{first === undefined ? words.noEvents : describe(first)}</strong>
          {events.length > 1 ? (
            <span className="soft small">{words.moreEvents(events.length - 1)}</span>
          ) : null}
          <span className="soft small">
            <TimeText time={transaction.recordTime} shows="time" />
          </span>
        </span>
      </summary>
      {isOpen ? (
        <div className="item-body">
          <Facts>
            <Fact term={words.updateId}>
              <ContractId id={transaction.updateId} />
            </Fact>
            <Fact term={words.offset}>{format.decimal(transaction.offset)}</Fact>
            {transaction.commandId === "" ? null : (
              <Fact term={words.commandId}>{shortenId(transaction.commandId)}</Fact>
            )}
          </Facts>
          <ul className="events">
            {events.map((event) => (
              <li key={event.node}>
                <EventView event={event} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </details>
  );
}

interface ShownEvent {
  readonly kind: "created" | "archived" | "exercised";
  readonly node: number;
  readonly template: string;
  readonly choice: string | null;
  readonly contractId: string;
  readonly argument: unknown;
  readonly result: unknown;
}

function readEvent(event: Transaction["events"][number]): ShownEvent {
  if ("CreatedEvent" in event) {
    const { nodeId: node, templateId, contractId, createArgument } = event.CreatedEvent;
    const template = shortenTemplate(templateId).name;
    return {
      kind: "created",
      node,
      template,
      choice: null,
      contractId,
      argument: createArgument,
      result: null,
    };
  }
  if ("ArchivedEvent" in event) {
    const { nodeId: node, templateId, contractId } = event.ArchivedEvent;
    const template = shortenTemplate(templateId).name;
    return { kind: "archived", node, template, choice: null, contractId, argument: null, result: null };
  }
  const {
    nodeId: node,
    templateId,
    contractId,
    choice,
    choiceArgument,
    exerciseResult,
  } = event.ExercisedEvent;
  const template = shortenTemplate(templateId).name;
  return {
    kind: "exercised",
    node,
    template,
    choice,
    contractId,
    argument: choiceArgument,
    result: exerciseResult,
  };
}

function describe({ choice, template }: ShownEvent): string {
  return choice ?? template;
}

const KINDS: Readonly<Record<ShownEvent["kind"], NoticeKind>> = {
  created: "good",
  archived: "bad",
  exercised: "accent",
};

function EventView({ event }: { readonly event: ShownEvent }) {
  const { ledger: words } = useWords().developer;
  return (
    <details>
      <summary>
        <span className="item-head">
          <Badge kind={KINDS[event.kind]}>{words.events[event.kind]}</Badge>
          <span>{describe(event)}</span>
          {event.choice === null ? null : <span className="soft small">{event.template}</span>}
        </span>
      </summary>
      <div className="item-body">
        <ContractId id={event.contractId} />
        {event.argument === null ? null : <ValueTree value={event.argument} />}
        {event.result === null || event.result === undefined ? null : (
          <div>
            <p className="soft small">{words.result}</p>
            <ValueTree value={event.result} />
          </div>
        )}
      </div>
    </details>
  );
}
