import type { LookupStatistics } from "@callsign/api";
import { lazy, Suspense } from "react";
import { useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { Waiting } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

const Plot = lazy(async () => ({ default: (await import("./plot.tsx")).Plot }));

const REFRESH_MILLISECONDS = 60_000;
const MINUTE_MILLISECONDS = 60_000;

/** Lookups of names by minute, as the scan behind the page has counted them since its start. */
export function LookupPlot() {
  const { network } = useWords();
  const read = useRead(
    "scan",
    "GET /ext/v1/statistics/lookups",
    {},
    { everyMilliseconds: REFRESH_MILLISECONDS },
  );
  return (
    <Panel title={network.lookups}>
      <ReadView read={read} waiting={network.readingStatistics}>
        {(found) => <Minutes found={found} />}
      </ReadView>
    </Panel>
  );
}

function Minutes({ found: { since, from, counts } }: { readonly found: LookupStatistics }) {
  const { network } = useWords();
  const show = useFormat();
  const first = Date.parse(from);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <>
      <p className="soft small" id="lookups-counted">
        {network.lookupsCounted(show.decimal(total))} <TimeText time={since} shows="time" />
      </p>
      <Suspense fallback={<Waiting>{network.readingStatistics}</Waiting>}>
        <Plot
          title={network.lookupsByMinute}
          kind="bars"
          unit="minute"
          times={counts.map((_, place) => new Date(first + place * MINUTE_MILLISECONDS).toISOString())}
          values={counts}
          showValue={(value) => show.decimal(value)}
          showTime={show.time}
          language={show.language}
        />
      </Suspense>
    </>
  );
}
