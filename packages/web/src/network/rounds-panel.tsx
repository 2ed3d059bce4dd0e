import { readNetworkClock } from "../calls/network-clock.ts";
import { useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { Badge, Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { type RoundPayload, readPayload } from "./payloads.ts";

const REFRESH_MILLISECONDS = 15_000;
const NOTHING_CACHED = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };

interface ShownRound {
  readonly number: string;
  readonly state: "open" | "upcoming" | "issuing";
  readonly price: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
}

/** The rounds that are open, upcoming or issuing. */
export function RoundsPanel() {
  const { network } = useWords();
  const show = useFormat();
  const read = useRead(
    "scan",
    "POST /v0/open-and-issuing-mining-rounds",
    { body: NOTHING_CACHED },
    { everyMilliseconds: REFRESH_MILLISECONDS },
  );
  return (
    <Panel title={network.rounds}>
      <p className="soft">{network.roundsExplained}</p>
      <ReadView read={read} waiting={network.readingRounds}>
        {(data) => {
          const rounds = listRounds(data, readNetworkClock());
          if (rounds.length === 0) return <Nothing title={network.noRounds} />;
          return (
            <Table
              caption={network.rounds}
              rows={rounds}
              keyOf={({ number }) => number}
              columns={[
                { title: network.round, cell: ({ number }) => show.decimal(number) },
                {
                  title: network.state,
                  cell: ({ state }) => (
                    <Badge kind={state === "open" ? "good" : "plain"}>{network.states[state]}</Badge>
                  ),
                },
                { title: network.opens, cell: ({ opensAt }) => <TimeText time={opensAt} /> },
                { title: network.closes, cell: ({ closesAt }) => <TimeText time={closesAt} /> },
                {
                  title: network.coinPrice,
                  align: "end",
                  cell: ({ price }) => (price === null ? "–" : show.usd(price)),
                },
              ]}
            />
          );
        }}
      </ReadView>
    </Panel>
  );
}

type FoundRounds = Readonly<Record<string, { readonly contract: Parameters<typeof readPayload>[0] | null }>>;

function listRounds(
  found: { readonly open_mining_rounds: FoundRounds; readonly issuing_mining_rounds: FoundRounds },
  now: number,
): readonly ShownRound[] {
  const list = (rounds: FoundRounds, isIssuing: boolean) =>
    Object.values(rounds).flatMap(({ contract }): ShownRound[] => {
      if (contract === null) return [];
      const { round, opensAt, targetClosesAt, amuletPrice } = readPayload<Partial<RoundPayload>>(contract);
      if (round === undefined || opensAt === undefined || targetClosesAt === undefined) return [];
      const isUpcoming = new Date(opensAt).getTime() > now;
      const state = isIssuing ? "issuing" : isUpcoming ? "upcoming" : "open";
      return [{ number: round.number, state, price: amuletPrice ?? null, opensAt, closesAt: targetClosesAt }];
    });
  return [...list(found.open_mining_rounds, false), ...list(found.issuing_mining_rounds, true)].sort(
    (a, b) => Number(b.number) - Number(a.number),
  );
}
