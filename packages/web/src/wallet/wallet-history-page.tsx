import { useState } from "react";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Choice, Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { MoreButton } from "../design/more-button.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { useWords } from "../words/words.ts";
import { formatHistoryCsv, formatHistoryJson } from "./history-export.ts";
import { HISTORY_KINDS, type HistoryFilter, matchesFilter } from "./history-row.ts";
import { offerDownload } from "./offer-download.ts";
import { MAX_EXPORTED, useHistory, useHistoryExport } from "./use-history.ts";
import { WalletFrame } from "./wallet-frame.tsx";
import { WalletHistoryTable } from "./wallet-history-table.tsx";

const PAGE_SIZE = 50;

export function WalletHistoryPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="history" lead={wallet.history.lead}>
      <History />
    </WalletFrame>
  );
}

function History() {
  const { wallet } = useWords();
  const { coin } = useWebConfig().names;
  const [filter, setFilter] = useState<HistoryFilter>({ kind: "all", text: "" });
  const history = useHistory(PAGE_SIZE);
  const rows = history.rows.filter((row) => matchesFilter(row, filter));
  const isFiltered = filter.kind !== "all" || filter.text.trim() !== "";
  return (
    <Panel title={wallet.history.title} aside={<ExportButtons filter={filter} />}>
      <div className="filters">
        <Choice
          id="history-kind"
          label={wallet.history.filterKind}
          value={filter.kind}
          onChange={(kind) => setFilter({ ...filter, kind })}
          options={[
            { value: "all" as const, label: wallet.history.all },
            ...HISTORY_KINDS.map((kind) => ({ value: kind, label: wallet.history.kinds[kind] })),
          ]}
        />
        <Field
          label={wallet.history.filterText}
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
          type="search"
        />
      </div>
      <WalletHistoryTable
        history={history}
        rows={rows}
        empty={isFiltered ? wallet.history.noMatch : wallet.history.none}
        emptyAdvice={isFiltered ? wallet.history.noMatchAdvice : wallet.history.noneAdvice(coin)}
      />
      <MoreButton pages={history.pages} />
    </Panel>
  );
}

function ExportButtons({ filter }: { readonly filter: HistoryFilter }) {
  const { wallet } = useWords();
  const readAll = useHistoryExport();
  const [state, setState] = useState<{ isPending: boolean; error: unknown; isCut: boolean }>({
    isPending: false,
    error: null,
    isCut: false,
  });
  const write = async (kind: "csv" | "json") => {
    setState({ isPending: true, error: null, isCut: false });
    try {
      const { rows, isWhole } = await readAll();
      const wanted = rows.filter((row) => matchesFilter(row, filter));
      if (kind === "csv") offerDownload("history.csv", "text/csv", formatHistoryCsv(wanted));
      else offerDownload("history.json", "application/json", formatHistoryJson(wanted));
      setState({ isPending: false, error: null, isCut: !isWhole });
    } catch (error) {
      setState({ isPending: false, error, isCut: false });
    }
  };
  return (
    <div className="stack">
      <div className="row">
        {(["csv", "json"] as const).map((kind) => (
          <ActionButton
            key={kind}
            kind="quiet"
            size="small"
            isPending={state.isPending}
            onPress={() => void write(kind)}
          >
            {wallet.history.exportAs[kind]}
          </ActionButton>
        ))}
      </div>
      {state.error === null ? null : <ErrorNotice error={state.error} />}
      {state.isCut ? <Notice kind="warn">{wallet.history.cut(MAX_EXPORTED)}</Notice> : null}
    </div>
  );
}
