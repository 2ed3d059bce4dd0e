import { useRead } from "../calls/use-calls.ts";
import { Figure, Figures, Page } from "../design/layout.tsx";
import { ReadView } from "../design/read-view.tsx";
import { TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { LiveFeed } from "./live-feed.tsx";
import { LookupPlot } from "./lookup-plot.tsx";
import { NamePlots } from "./name-plots.tsx";
import { type DsoRulesPayload, type RoundPayload, readPayload } from "./payloads.ts";
import { RoundsPanel } from "./rounds-panel.tsx";
import { RulesPanel } from "./rules-panel.tsx";
import { OwnScanWarning, SvsPanel } from "./svs-panel.tsx";
import { ValidatorsPanel } from "./validators-panel.tsx";
import "./network.css";

const REFRESH_MILLISECONDS = 15_000;

/** The network as its scan sees it: figures, plots, rounds, rules, SVs, validators, and names as they change. */
export function NetworkPage() {
  const { network } = useWords();
  const dso = useRead("scan", "GET /v0/dso", {}, { everyMilliseconds: REFRESH_MILLISECONDS });
  return (
    <Page title={network.title} lead={network.lead}>
      <OwnScanWarning />
      <NetworkFigures />
      <div className="network-columns">
        <div className="stack">
          <NamePlots />
          <LookupPlot />
        </div>
        <LiveFeed />
      </div>
      <RoundsPanel />
      <ReadView read={dso} waiting={network.readingRules}>
        {(info) => (
          <>
            <SvsPanel dso={info} />
            <RulesPanel dso={info} />
          </>
        )}
      </ReadView>
      <ValidatorsPanel />
    </Page>
  );
}

function NetworkFigures() {
  const { network } = useWords();
  const show = useFormat();
  const dso = useRead("scan", "GET /v0/dso", {}, { everyMilliseconds: REFRESH_MILLISECONDS });
  const statistics = useRead("scan", "GET /ext/v1/statistics/names", {}, {});
  const today = statistics.data?.days.at(-1);
  return (
    <ReadView read={dso} waiting={network.readingRules}>
      {(info) => {
        const round = readPayload<RoundPayload>(info.latest_mining_round.contract);
        const { svs } = readPayload<DsoRulesPayload>(info.dso_rules.contract);
        return (
          <Figures>
            <Figure
              term={network.liveNames}
              value={today === undefined ? "–" : show.decimal(today.live)}
              {...(today === undefined
                ? {}
                : { note: network.registeredToday(show.decimal(today.registered)) })}
            />
            <Figure term={network.coinPrice} value={show.usd(round.amuletPrice)} note={network.perCoin} />
            <Figure
              term={network.latestRound}
              value={show.decimal(round.round.number)}
              note={
                <>
                  {network.roundOpens} <TimeText time={round.opensAt} shows="distance" />
                </>
              }
            />
            <Figure
              term={network.svs}
              value={show.decimal(svs.length)}
              note={network.threshold(show.decimal(info.voting_threshold))}
            />
          </Figures>
        );
      }}
    </ReadView>
  );
}
