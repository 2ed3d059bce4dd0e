import type { WireContract } from "@callsign/api";
import type { ReactNode } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice, Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { textAt } from "../register/payload-fields.ts";
import { useWords } from "../words/words.ts";
import { ContractAction } from "./contract-action.tsx";
import { WalletFrame } from "./wallet-frame.tsx";

const WATCH = { everyMilliseconds: 10_000 } as const;
const PAGE = { query: { limit: 100 } } as const;

interface Delegation {
  readonly contract: WireContract;
  readonly beneficiary_hosted: boolean;
}

/** `/wallet/delegations`: parties whose rewards this wallet mints, and proposals of others. */
export function DelegationsPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="delegations" lead={wallet.delegations.lead}>
      <Proposals />
      <Delegations />
    </WalletFrame>
  );
}

function Proposals() {
  const { wallet } = useWords();
  const read = useRead("validator", "GET /v0/wallet/minting-delegation-proposals", PAGE, WATCH);
  const accept = useChange("validator", "POST /v0/wallet/minting-delegation-proposals/{contract_id}/accept");
  const reject = useChange("validator", "POST /v0/wallet/minting-delegation-proposals/{contract_id}/reject");
  const error = accept.error ?? reject.error;
  return (
    <Panel title={wallet.delegations.proposals}>
      <p className="soft">{wallet.delegations.replaces}</p>
      {error === null ? null : <ErrorNotice error={error} />}
      <ReadView
        read={read}
        isEmpty={({ proposals }) => proposals.length === 0}
        empty={<Nothing title={wallet.delegations.noProposals} />}
      >
        {({ proposals }) => (
          <DelegationTable
            caption={wallet.delegations.proposals}
            rows={proposals}
            fieldsOf={({ payload }) => payload["delegation"]}
            actions={(contractId) => (
              <div className="row">
                <ContractAction change={accept} contractId={contractId} kind="main">
                  {wallet.offers.accept}
                </ContractAction>
                <ContractAction change={reject} contractId={contractId}>
                  {wallet.offers.reject}
                </ContractAction>
              </div>
            )}
          />
        )}
      </ReadView>
    </Panel>
  );
}

function Delegations() {
  const { wallet } = useWords();
  const read = useRead("validator", "GET /v0/wallet/minting-delegations", PAGE, WATCH);
  const end = useChange("validator", "POST /v0/wallet/minting-delegations/{contract_id}/reject");
  return (
    <Panel title={wallet.delegations.active}>
      {end.error === null ? null : <ErrorNotice error={end.error} />}
      <ReadView
        read={read}
        isEmpty={({ delegations }) => delegations.length === 0}
        empty={<Nothing title={wallet.delegations.none} />}
      >
        {({ delegations }) => (
          <DelegationTable
            caption={wallet.delegations.active}
            rows={delegations}
            fieldsOf={({ payload }) => payload}
            actions={(contractId) => (
              <ContractAction change={end} contractId={contractId}>
                {wallet.delegations.end}
              </ContractAction>
            )}
          />
        )}
      </ReadView>
    </Panel>
  );
}

function DelegationTable({
  caption,
  rows,
  fieldsOf,
  actions,
}: {
  readonly caption: string;
  readonly rows: readonly Delegation[];
  readonly fieldsOf: (contract: WireContract) => unknown;
  readonly actions: (contractId: string) => ReactNode;
}) {
  const { wallet } = useWords();
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ contract }) => contract.contract_id}
      columns={[
        {
          title: wallet.delegations.beneficiary,
          cell: ({ contract }) => <PartyText party={textAt(fieldsOf(contract), "beneficiary")} />,
        },
        {
          title: wallet.delegations.hosted,
          cell: ({ beneficiary_hosted }) => (
            <Badge>{beneficiary_hosted ? wallet.delegations.here : wallet.delegations.elsewhere}</Badge>
          ),
        },
        {
          title: wallet.offers.expires,
          cell: ({ contract }) => <TimeText time={textAt(fieldsOf(contract), "expiresAt")} />,
        },
        {
          title: wallet.delegations.mergeLimit,
          cell: ({ contract }) => textAt(fieldsOf(contract), "amuletMergeLimit"),
        },
        { title: wallet.offers.actions, cell: ({ contract }) => actions(contract.contract_id) },
      ]}
    />
  );
}
