import type { NameStatisticsDay } from "@callsign/api";
import { lazy, Suspense, useState } from "react";
import { ToggleButton } from "react-aria-components/ToggleButton";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { Waiting } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

const Plot = lazy(async () => ({ default: (await import("./plot.tsx")).Plot }));

const RANGES = ["30", "90", "365"] as const;
const DAY_MILLISECONDS = 86_400_000;

/** Names, registrations and burned coin by day, as plots and as a table. */
export function NamePlots() {
  const { network } = useWords();
  const [days, setDays] = useState<(typeof RANGES)[number]>("30");
  const read = useRead(
    "scan",
    "GET /ext/v1/statistics/names",
    { query: { from: dayBefore(Number(days) - 1) } },
    { keepsPrevious: true },
  );
  const ranges = (
    // Not a toolbar: Tab reaches each button.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className="ranges" role="group" aria-label={network.range}>
      {RANGES.map((each) => (
        <ToggleButton key={each} isSelected={each === days} onChange={() => setDays(each)}>
          {network.days(each)}
        </ToggleButton>
      ))}
    </div>
  );
  return (
    <Panel title={network.overTime} aside={ranges}>
      <ReadView read={read} waiting={network.readingStatistics}>
        {({ days: found }) => <Plots days={found} />}
      </ReadView>
    </Panel>
  );
}

function dayBefore(days: number): string {
  return new Date(readNetworkClock() - days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

function Plots({ days }: { readonly days: readonly NameStatisticsDay[] }) {
  const { network } = useWords();
  const show = useFormat();
  const plots = [
    { title: network.liveNames, kind: "line", values: days.map(({ live }) => live), text: show.decimal },
    {
      title: network.registrations,
      kind: "bars",
      values: days.map((day) => day.registered + day.renewed),
      text: show.decimal,
    },
    { title: network.burned, kind: "bars", values: days.map(({ burned }) => burned), text: show.coin },
  ] as const;
  return (
    <>
      <Suspense fallback={<Waiting>{network.readingStatistics}</Waiting>}>
        <div className="plots">
          {plots.map(({ title, kind, values, text }) => (
            <Plot
              key={title}
              title={title}
              kind={kind}
              times={days.map(({ day }) => day)}
              values={values}
              showValue={(value) => text(value as string)}
              showTime={show.day}
              language={show.language}
            />
          ))}
        </div>
      </Suspense>
      <details className="as-table">
        <summary>{network.asTable}</summary>
        <div className="as-table-frame">
          <Table
            caption={network.overTime}
            rows={days.toReversed()}
            keyOf={({ day }) => day}
            columns={[
              { title: network.day, cell: ({ day }) => show.day(day) },
              { title: network.liveNames, align: "end", cell: ({ live }) => show.decimal(live) },
              { title: network.registered, align: "end", cell: ({ registered }) => show.decimal(registered) },
              { title: network.renewed, align: "end", cell: ({ renewed }) => show.decimal(renewed) },
              { title: network.expired, align: "end", cell: ({ expired }) => show.decimal(expired) },
              { title: network.burned, align: "end", cell: ({ burned }) => show.coin(burned) },
            ]}
          />
        </div>
      </details>
    </>
  );
}
