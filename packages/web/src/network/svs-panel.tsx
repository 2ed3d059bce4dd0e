import type { DsoInfo } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { Badge, Notice, type NoticeKind } from "../design/notice.tsx";
import { type Column, Table } from "../design/table.tsx";
import { OthersLink, PartyText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import type { ComparedScan, ScanVerdict } from "./compare-scans.ts";
import { type DsoRulesPayload, readPayload } from "./payloads.ts";
import { useAgreement } from "./use-agreement.ts";
import { useComparedScans } from "./use-compared-scans.ts";

/** Two answers are never of the same moment. */
const NO_LAG_MILLISECONDS = 1000;

interface SvRow {
  readonly party: string;
  readonly name: string;
  readonly weight: string;
  readonly joined: string;
  readonly scan: string | null;
}

/** The SVs with their scans: how far each has come, and whether they agree. */
export function SvsPanel({ dso }: { readonly dso: DsoInfo }) {
  const { network } = useWords();
  const show = useFormat();
  const scans = useRead("scan", "GET /v0/scans", {}).data?.scans.flatMap((each) => each.scans) ?? [];
  const { svs } = readPayload<DsoRulesPayload>(dso.dso_rules.contract);
  const rows = svs.map(([party, { name, svRewardWeight, joinedAsOfRound }]) => ({
    party,
    name,
    weight: svRewardWeight,
    joined: joinedAsOfRound.number,
    scan: scans.find(({ svName }) => svName === name)?.publicUrl ?? null,
  }));
  const { note, columns } = useAgreementColumns();
  return (
    <Panel title={network.svsAndScans}>
      <p className="soft">{network.svsExplained}</p>
      {note === null ? null : <p className="small soft">{note}</p>}
      <Table
        caption={network.svsAndScans}
        rows={rows}
        // A false scan may give several SVs one party.
        keyOf={({ name }) => name}
        columns={[
          { title: network.sv, cell: ({ name }) => <strong>{name}</strong> },
          { title: network.party, cell: ({ party }) => <PartyText party={party} /> },
          { title: network.scan, cell: ({ scan }) => (scan === null ? "–" : <OthersLink url={scan} />) },
          ...columns,
          { title: network.joined, align: "end", cell: ({ joined }) => show.decimal(joined) },
          { title: network.weight, align: "end", cell: ({ weight }) => show.decimal(weight) },
        ]}
      />
    </Panel>
  );
}

/** As the page itself compares the scans, or as the user's validator does. */
function useAgreementColumns() {
  const { network } = useWords();
  const compared = useComparedScans().data;
  const agreement = useAgreement().data ?? null;
  if (compared !== undefined) {
    const columns: readonly Column<SvRow>[] = [
      { title: network.lag, cell: ({ name }) => <Lag scan={compared.bySv[name]} /> },
      { title: network.agreement, cell: ({ name }) => <Verdict scan={compared.bySv[name]} /> },
    ];
    return { note: network.compared, columns };
  }
  if (agreement === null) return { note: null, columns: [] };
  const agrees = ({ scan }: SvRow) => scan !== null && agreement.scans.has(scan.replace(/\/+$/, ""));
  const columns: readonly Column<SvRow>[] = [
    {
      title: network.agreement,
      cell: (row) => (
        <Badge kind={agrees(row) ? "good" : "plain"}>
          {agrees(row) ? network.verdicts.agrees : network.notAsked}
        </Badge>
      ),
    },
  ];
  const note = (
    <>
      {network.agreedAt} <TimeText time={agreement.recordTime} />
    </>
  );
  return { note, columns };
}

const KINDS: Readonly<Record<ScanVerdict, NoticeKind>> = {
  agrees: "good",
  behind: "warn",
  differs: "bad",
  undecided: "warn",
  silent: "bad",
};

interface OneScan {
  readonly scan: ComparedScan | undefined;
}

function Verdict({ scan }: OneScan) {
  const { network } = useWords();
  if (scan === undefined) return "–";
  return <Badge kind={KINDS[scan.verdict]}>{network.verdicts[scan.verdict]}</Badge>;
}

function Lag({ scan }: OneScan) {
  const { network } = useWords();
  const show = useFormat();
  if (scan === undefined || scan.lag === null) return "–";
  return scan.lag < NO_LAG_MILLISECONDS ? network.noLag : show.length(scan.lag);
}

/** Warns if the scan behind this page, which everything here comes from, contradicts the others or is behind them. */
export function OwnScanWarning() {
  const { network } = useWords();
  const own = useComparedScans().data?.own;
  if (own === undefined || own.verdict === "agrees") return null;
  const { title, advice } = network.ownScan[own.verdict];
  return (
    <Notice kind={KINDS[own.verdict]} title={title}>
      <p>{advice}</p>
    </Notice>
  );
}
