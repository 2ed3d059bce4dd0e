import type { ReactNode } from "react";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { CopyButton, NameLink, PartyText, TimeText, WrittenText } from "../design/texts.tsx";
import { compareAmounts, isNegative } from "../register/amounts.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { counterpartOf, type HistoryRow } from "./history-row.ts";
import type { WalletHistory } from "./use-history.ts";

export function WalletHistoryTable({
  history,
  rows,
  empty,
  emptyAdvice,
}: {
  readonly history: WalletHistory;
  readonly rows: readonly HistoryRow[];
  readonly empty: string;
  readonly emptyAdvice: string;
}) {
  const { wallet } = useWords();
  return (
    <ReadView
      read={history.pages.read}
      waiting={wallet.history.waiting}
      isEmpty={() => rows.length === 0}
      empty={
        <Nothing title={empty}>
          <p>{emptyAdvice}</p>
        </Nothing>
      }
    >
      {() => <HistoryRows rows={rows} />}
    </ReadView>
  );
}

function HistoryRows({ rows }: { readonly rows: readonly HistoryRow[] }) {
  const { wallet } = useWords();
  return (
    <Table
      id="tx-history-table"
      caption={wallet.history.title}
      rows={rows}
      keyOf={(row) => row.eventId}
      columns={[
        { title: wallet.history.when, cell: (row) => <TimeText time={row.date} shows="time" /> },
        { title: wallet.history.what, cell: (row) => <What row={row} /> },
        { title: wallet.history.who, cell: (row) => <Others row={row} /> },
        { title: wallet.history.update, cell: (row) => <UpdateId id={row.updateId} /> },
        { title: wallet.history.amount, align: "end", cell: (row) => <Amount row={row} /> },
      ]}
    />
  );
}

function What({ row }: { readonly row: HistoryRow }): ReactNode {
  const { wallet, register } = useWords();
  return (
    <div className="others">
      <strong title={row.choice}>{wallet.history.kinds[row.kind]}</strong>
      {row.name === null ? null : <NameLink name={row.name} />}
      {row.refundReason === null ? null : <span>{register.refunds[row.refundReason]}</span>}
      {row.description === null || row.description === "" ? null : (
        <WrittenText text={row.description} isSoft />
      )}
    </div>
  );
}

function Others({ row: { others, kind } }: { readonly row: HistoryRow }): ReactNode {
  const { wallet } = useWords();
  if (others.length === 0) {
    return <span className="soft">{wallet.history.counterparts[counterpartOf(kind)]}</span>;
  }
  return (
    <div className="others">
      {others.slice(0, 4).map((party) => (
        <PartyText key={party} party={party} />
      ))}
    </div>
  );
}

function UpdateId({ id }: { readonly id: string }) {
  const { wallet } = useWords();
  return (
    <span className="party">
      <span className="mono" title={id}>
        {id.slice(0, 10)}…
      </span>
      <CopyButton text={id} label={wallet.history.copyUpdate} />
    </span>
  );
}

function Amount({ row: { amount } }: { readonly row: HistoryRow }): ReactNode {
  const format = useFormat();
  if (amount === null) return null;
  const sign = compareAmounts(amount, "0");
  return (
    <span className={sign > 0 ? "amount-in" : "amount-out"}>
      {sign > 0 ? "+" : ""}
      {isNegative(amount) ? format.coin(amount).replace("-", "−") : format.coin(amount)}
    </span>
  );
}
