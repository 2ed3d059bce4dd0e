import { useReadPages } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { MoreButton } from "../design/more-button.tsx";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { type LicensePayload, readPayload } from "./payloads.ts";

const PAGE_SIZE = 20;

/** The validators' licences, newest first. */
export function ValidatorsPanel() {
  const { network } = useWords();
  const show = useFormat();
  const pages = useReadPages(
    "scan",
    "GET /v0/admin/validator/licenses",
    (cursor) => ({ query: { limit: PAGE_SIZE, ...(cursor === null ? {} : { after: BigInt(cursor) }) } }),
    ({ validator_licenses, next_page_token }) =>
      validator_licenses.length < PAGE_SIZE || next_page_token === null ? null : String(next_page_token),
  );
  return (
    <Panel title={network.validators}>
      <ReadView
        read={pages.read}
        waiting={network.readingValidators}
        isEmpty={([first]) => first?.validator_licenses.length === 0}
        empty={<Nothing title={network.noValidators} />}
      >
        {(read) => (
          <>
            <Table
              caption={network.validators}
              rows={read
                .flatMap(({ validator_licenses }) => validator_licenses)
                .map((licence) => ({ ...readPayload<LicensePayload>(licence), id: licence.contract_id }))}
              keyOf={({ id }) => id}
              columns={[
                { title: network.validator, cell: ({ validator }) => <PartyText party={validator} /> },
                {
                  title: network.lastActive,
                  cell: ({ lastActiveAt }) =>
                    lastActiveAt === null ? "–" : <TimeText time={lastActiveAt} />,
                },
                { title: network.version, cell: ({ metadata }) => metadata?.version ?? "–" },
                {
                  title: network.lastRound,
                  align: "end",
                  cell: ({ faucetState }) =>
                    faucetState === null ? "–" : show.decimal(faucetState.lastReceivedFor.number),
                },
                {
                  title: network.missed,
                  align: "end",
                  cell: ({ faucetState }) =>
                    faucetState === null ? "–" : show.decimal(faucetState.numCouponsMissed),
                },
              ]}
            />
            <MoreButton pages={pages} />
          </>
        )}
      </ReadView>
    </Panel>
  );
}
