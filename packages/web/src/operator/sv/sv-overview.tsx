import type { WireContract } from "@callsign/api";
import { useRead } from "../../calls/use-calls.ts";
import { Fact, Facts, Figure, Figures, Panel } from "../../design/layout.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { OthersLink, PartyText, TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { findNodeUrls, listSvs, readRound } from "./dso.ts";

const EVERY_MILLISECONDS = 10_000;

/** The network as the SV sees it: the DSO, its SVs and the open rounds. */
export function SvOverview() {
  const { operator } = useWords();
  const format = useFormat();
  const dso = useRead("sv", "GET /v0/dso", {}, { everyMilliseconds: EVERY_MILLISECONDS });
  return (
    <>
      <Panel title={operator.sv.title}>
        <ReadView read={dso}>
          {({ sv_user, sv_party_id, dso_party_id, voting_threshold, dso_rules, latest_mining_round }) => {
            const round = readRound(latest_mining_round.contract.payload);
            const svs = listSvs(dso_rules.contract.payload);
            return (
              <>
                <Figures>
                  <Figure term={operator.sv.svs} value={format.decimal(svs.length)} />
                  <Figure term={operator.sv.threshold} value={format.decimal(voting_threshold)} />
                  <Figure term={operator.sv.latestRound} value={round.number} />
                  <Figure term={operator.price.current} value={format.usd(round.price)} />
                </Figures>
                <Facts>
                  <Fact term={operator.sv.party}>
                    <PartyText party={sv_party_id} />
                  </Fact>
                  <Fact term={operator.sv.user}>{sv_user}</Fact>
                  <Fact term={operator.sv.dso}>
                    <PartyText party={dso_party_id} isLink={false} />
                  </Fact>
                </Facts>
              </>
            );
          }}
        </ReadView>
      </Panel>
      <Panel title={operator.sv.svs}>
        <ReadView read={dso}>
          {({ dso_rules, sv_node_states }) => (
            <Table
              caption={operator.sv.svs}
              rows={listSvs(dso_rules.contract.payload).map((sv) => ({
                ...sv,
                ...findNodeUrls(
                  sv_node_states.map(({ contract }) => contract.payload),
                  sv.party,
                ),
              }))}
              keyOf={({ party }) => party}
              columns={[
                { title: operator.sv.name, cell: ({ name }) => name },
                { title: operator.sv.party, cell: ({ party }) => <PartyText party={party} /> },
                { title: operator.sv.joined, cell: ({ joinedRound }) => joinedRound },
                {
                  title: operator.sv.scan,
                  cell: ({ scan }) => (scan === "" ? "—" : <OthersLink url={scan} />),
                },
                { title: operator.sv.sequencer, cell: ({ sequencer }) => sequencer || "—" },
                { title: operator.sv.weight, cell: ({ weight }) => format.decimal(weight), align: "end" },
              ]}
            />
          )}
        </ReadView>
      </Panel>
      <OpenRounds />
    </>
  );
}

function OpenRounds() {
  const { operator } = useWords();
  const format = useFormat();
  const rounds = useRead(
    "sv",
    "GET /v0/admin/sv/open-mining-rounds",
    {},
    { everyMilliseconds: EVERY_MILLISECONDS },
  );
  return (
    <Panel title={operator.sv.rounds}>
      <ReadView
        read={rounds}
        isEmpty={({ open_mining_rounds }) => open_mining_rounds.length === 0}
        empty={<p className="soft">{operator.sv.noRounds}</p>}
      >
        {({ open_mining_rounds }) => (
          <Table<WireContract>
            caption={operator.sv.rounds}
            rows={open_mining_rounds}
            keyOf={({ contract_id }) => contract_id}
            columns={[
              { title: operator.sv.round, cell: ({ payload }) => readRound(payload).number },
              {
                title: operator.sv.opens,
                cell: ({ payload }) => <TimeText time={readRound(payload).opensAt} />,
              },
              {
                title: operator.sv.closes,
                cell: ({ payload }) => <TimeText time={readRound(payload).closesAt} />,
              },
              {
                title: operator.price.current,
                cell: ({ payload }) => format.usd(readRound(payload).price),
                align: "end",
              },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}
