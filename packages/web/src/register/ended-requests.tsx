import type { NameRequest } from "@callsign/api";
import { ActionLink } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Table } from "../design/table.tsx";
import { NameText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { isOpen } from "./name-request.ts";
import { useNameRequests } from "./use-name-requests.ts";

const SHOWN = 10;

/** The newest requests that did not lead to a name: why, and the coin that came back. */
export function EndedRequests() {
  const { register } = useWords();
  const format = useFormat();
  const requests = useNameRequests(false).data?.requests.filter(hasFailed).slice(0, SHOWN) ?? [];
  if (requests.length === 0) return null;
  return (
    <Panel title={register.ended.title}>
      <Table
        caption={register.ended.title}
        rows={requests}
        keyOf={(request) => request.id}
        columns={[
          { title: register.request.name, cell: (request) => <NameText name={request.name} /> },
          { title: register.ended.when, cell: ({ endedAt }) => <TimeText time={endedAt ?? ""} /> },
          {
            title: register.ended.refund,
            cell: ({ refund }) => (refund === null ? register.ended.nothing : format.coin(refund.amount)),
          },
          {
            title: register.ended.why,
            cell: (request) => (
              <ActionLink href={`/register/request/${request.id}`} kind="quiet" size="small">
                {register.ended.details}
              </ActionLink>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function hasFailed(request: NameRequest): boolean {
  return !isOpen(request) && request.state !== "registered" && (request.endedAt ?? null) !== null;
}
