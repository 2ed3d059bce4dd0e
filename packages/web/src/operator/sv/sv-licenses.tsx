import type { WireContract } from "@callsign/api";
import { useState } from "react";
import { useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Panel } from "../../design/layout.tsx";
import { Nothing } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { PartyText, TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { readLicense } from "./dso.ts";

const PAGE = 50;

/** A page of licenses at a time, newest first. */
export function SvLicenses() {
  const { operator, shell } = useWords();
  const words = operator.licenses;
  const [after, setAfter] = useState<bigint | null>(null);
  const read = useRead(
    "sv",
    "GET /v0/admin/validator/licenses",
    { query: { ...(after === null ? {} : { after }), limit: PAGE } },
    { keepsPrevious: true },
  );
  return (
    <Panel title={words.title}>
      <ReadView
        read={read}
        isEmpty={({ validator_licenses }) => validator_licenses.length === 0}
        empty={
          <Nothing title={after === null ? words.none : words.noMore}>
            {after === null ? null : (
              <ActionButton kind="quiet" size="small" onPress={() => setAfter(null)}>
                {words.first}
              </ActionButton>
            )}
          </Nothing>
        }
      >
        {({ validator_licenses, next_page_token }) => (
          <>
            <LicenseTable rows={validator_licenses} />
            {validator_licenses.length < PAGE || next_page_token === null ? null : (
              <div>
                <ActionButton
                  kind="quiet"
                  size="small"
                  isPending={read.isFetching}
                  onPress={() => setAfter(BigInt(next_page_token))}
                >
                  {shell.more}
                </ActionButton>
              </div>
            )}
          </>
        )}
      </ReadView>
    </Panel>
  );
}

function LicenseTable({ rows }: { readonly rows: readonly WireContract[] }) {
  const words = useWords().operator.licenses;
  return (
    <Table
      caption={words.title}
      rows={rows.map(({ payload, contract_id }) => ({ ...readLicense(payload), contract_id }))}
      keyOf={({ contract_id }) => contract_id}
      columns={[
        { title: words.validator, cell: ({ validator }) => <PartyText party={validator} /> },
        { title: words.sponsor, cell: ({ sponsor }) => <PartyText party={sponsor} /> },
        { title: words.version, cell: ({ version }) => version || "—" },
        { title: words.contact, cell: ({ contactPoint }) => contactPoint || "—" },
        { title: words.lastRound, cell: ({ lastRound }) => lastRound || "—" },
        {
          title: words.lastActive,
          cell: ({ lastActiveAt }) =>
            lastActiveAt === null ? "—" : <TimeText time={lastActiveAt} shows="distance" />,
        },
      ]}
    />
  );
}
