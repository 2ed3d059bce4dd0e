import type { DsoInfo, WebConfig } from "@callsign/api";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { callWithHeaders } from "../calls/call.ts";
import { useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { Panel } from "../design/layout.tsx";
import { Badge } from "../design/notice.tsx";
import { Table } from "../design/table.tsx";
import { OthersLink, PartyText, TimeText } from "../design/texts.tsx";
import { useSession } from "../login/session.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { type DsoRulesPayload, readPayload } from "./payloads.ts";

const REFRESH_MILLISECONDS = 15_000;

/** The SVs with their scans, and which scans the user's validator found to agree. */
export function SvsPanel({ dso }: { readonly dso: DsoInfo }) {
  const { network } = useWords();
  const show = useFormat();
  const scans = useRead("scan", "GET /v0/scans", {}).data?.scans.flatMap((each) => each.scans) ?? [];
  const agreement = useAgreement();
  const { svs } = readPayload<DsoRulesPayload>(dso.dso_rules.contract);
  const rows = svs.map(([party, { name, svRewardWeight, joinedAsOfRound }]) => ({
    party,
    name,
    weight: svRewardWeight,
    joined: joinedAsOfRound.number,
    scan: scans.find(({ svName }) => svName === name)?.publicUrl ?? null,
  }));
  const isKnown = agreement.data != null;
  return (
    <Panel title={network.svsAndScans}>
      <p className="soft">{network.svsExplained}</p>
      {agreement.data == null ? null : (
        <p className="small soft">
          {network.agreedAt} <TimeText time={agreement.data.recordTime} />
        </p>
      )}
      <Table
        caption={network.svsAndScans}
        rows={rows}
        keyOf={({ party }) => party}
        columns={[
          { title: network.sv, cell: ({ name }) => <strong>{name}</strong> },
          { title: network.party, cell: ({ party }) => <PartyText party={party} /> },
          { title: network.scan, cell: ({ scan }) => (scan === null ? "–" : <OthersLink url={scan} />) },
          ...(isKnown
            ? [
                {
                  title: network.agreement,
                  cell: ({ scan }: (typeof rows)[number]) => (
                    <AgreementBadge
                      agrees={scan !== null && agreement.data?.scans.has(scan.replace(/\/+$/, "")) === true}
                    />
                  ),
                },
              ]
            : []),
          { title: network.joined, align: "end" as const, cell: ({ joined }) => show.decimal(joined) },
          { title: network.weight, align: "end" as const, cell: ({ weight }) => show.decimal(weight) },
        ]}
      />
    </Panel>
  );
}

function AgreementBadge({ agrees }: { readonly agrees: boolean }) {
  const { network } = useWords();
  return <Badge kind={agrees ? "good" : "plain"}>{agrees ? network.agrees : network.notAsked}</Badge>;
}

interface Agreement {
  readonly recordTime: string;
  /** The addresses of the scans that agreed with others since the page was opened. */
  readonly scans: ReadonlySet<string>;
}

/** A validator asks a few scans at a time and names those that agreed. Only its users can ask it. */
function useAgreement(): UseQueryResult<Agreement | null> {
  const config = useWebConfig();
  const client = useQueryClient();
  const isIn = useSession().kind === "in";
  const queryKey = ["validator", "agreement", isIn];
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Agreement | null>(queryKey)?.scans ?? [];
      const found = await readAgreement(config, signal);
      return found === null ? null : { ...found, scans: new Set([...before, ...found.scans]) };
    },
    enabled: isIn && config.services.validator !== null,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

async function readAgreement(config: WebConfig, signal: AbortSignal): Promise<Agreement | null> {
  const { headers } = await callWithHeaders(
    config,
    "validator",
    "GET /v0/scan-proxy/ext/v1/names",
    { query: { name_prefix: "", page_size: 1 } },
    { signal },
  );
  const [recordTime, scans] = [headers.get("x-callsign-record-time"), headers.get("x-callsign-agreed-scans")];
  if (recordTime === null || scans === null) return null;
  return { recordTime, scans: new Set(scans.split(", ").map((url) => url.replace(/\/api\/scan$/, ""))) };
}
