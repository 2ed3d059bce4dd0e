import type { NameRequest } from "@callsign/api";
import { useChange } from "../calls/use-calls.ts";
import { ActionButton, ActionLink } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice } from "../design/notice.tsx";
import { Table } from "../design/table.tsx";
import { NameText, TimeText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { isOpen } from "./name-request.ts";
import { useNameRequests } from "./use-name-requests.ts";

/** Requests that were begun and have no end yet: to be paid, rejected, or watched. Nothing is shown without one. */
export function OpenRequests() {
  const { register } = useWords();
  const requests = useNameRequests(false).data?.requests.filter(isOpen) ?? [];
  const reject = useChange("validator", "POST /v0/wallet/subscription-requests/{contract_id}/reject");
  if (requests.length === 0) return null;
  return (
    <Panel title={register.open.title}>
      <p className="soft">{register.open.lead}</p>
      {reject.error === null ? null : <ErrorNotice error={reject.error} />}
      <Table
        caption={register.open.title}
        rows={requests}
        keyOf={(request) => request.id}
        columns={[
          { title: register.request.name, cell: (request) => <NameText name={request.name} /> },
          {
            title: register.open.state,
            cell: (request) => <Badge kind="accent">{stateOf(request, register.open.states)}</Badge>,
          },
          { title: register.request.since, cell: (request) => <TimeText time={request.requestedAt} /> },
          {
            title: register.open.actions,
            cell: (request) => (
              <div className="row">
                <ActionLink href={`/register/request/${request.id}`} size="small">
                  {request.state === "waiting_for_payment" ? register.open.pay : register.open.watch}
                </ActionLink>
                {request.state === "waiting_for_payment" ? (
                  <ActionButton
                    kind="danger"
                    size="small"
                    label={`${register.pay.reject}: ${request.name}`}
                    isPending={reject.isPending}
                    onPress={() => reject.mutate({ params: { contract_id: request.id } })}
                  >
                    {register.pay.reject}
                  </ActionButton>
                ) : null}
              </div>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function stateOf(
  { state }: NameRequest,
  words: { readonly waiting: string; readonly paid: string; readonly requested: string },
): string {
  if (state === "waiting_for_payment") return words.waiting;
  return state === "paid" ? words.paid : words.requested;
}
