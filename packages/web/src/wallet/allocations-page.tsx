import type { WireContract } from "@callsign/api";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Fact, Facts, Panel } from "../design/layout.tsx";
import { ErrorNotice, Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { useAmuletRules } from "../register/network-facts.ts";
import { entriesAt, textAt } from "../register/payload-fields.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { AllocationForm } from "./allocation-form.tsx";
import { isLegOfCoin, toAskedAllocation } from "./asked-allocation.ts";
import { ContractAction } from "./contract-action.tsx";
import { WalletFrame } from "./wallet-frame.tsx";

const WATCH = { everyMilliseconds: 10_000 } as const;

/** `/wallet/allocations`: coin that is put aside for settlements, and requests of applications for more. */
export function AllocationsPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="allocations" lead={wallet.allocations.lead}>
      <AllocationRequests />
      <Allocations />
      <AllocationForm />
    </WalletFrame>
  );
}

function Allocations() {
  const { wallet } = useWords();
  const format = useFormat();
  const read = useRead("validator", "GET /v0/allocations", {}, WATCH);
  const withdraw = useChange("validator", "POST /v0/allocations/{contract_id}/withdraw");
  return (
    <Panel title={wallet.allocations.own}>
      {withdraw.error === null ? null : <ErrorNotice error={withdraw.error} />}
      <ReadView
        read={read}
        isEmpty={({ allocations }) => allocations.length === 0}
        empty={<Nothing title={wallet.allocations.none} />}
      >
        {({ allocations }) => (
          <Table
            caption={wallet.allocations.own}
            rows={allocations}
            keyOf={({ contract }) => contract.contract_id}
            columns={[
              {
                title: wallet.allocations.executor,
                cell: ({ contract }) => (
                  <PartyText party={textAt(contract.payload, "allocation", "settlement", "executor")} />
                ),
              },
              {
                title: wallet.offers.to,
                cell: ({ contract }) => (
                  <PartyText party={textAt(contract.payload, "allocation", "transferLeg", "receiver")} />
                ),
              },
              {
                title: wallet.offers.amount,
                cell: ({ contract }) =>
                  format.coin(textAt(contract.payload, "allocation", "transferLeg", "amount")),
              },
              {
                title: wallet.allocations.settleBefore,
                cell: ({ contract }) => (
                  <TimeText time={textAt(contract.payload, "allocation", "settlement", "settleBefore")} />
                ),
              },
              {
                title: wallet.offers.actions,
                cell: ({ contract }) => (
                  <ContractAction change={withdraw} contractId={contract.contract_id}>
                    {wallet.offers.withdraw}
                  </ContractAction>
                ),
              },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}

function AllocationRequests() {
  const { wallet } = useWords();
  const read = useRead("validator", "GET /v0/wallet/token-standard/allocation-requests", {}, WATCH);
  return (
    <Panel title={wallet.allocations.requests}>
      <ReadView
        read={read}
        isEmpty={({ allocation_requests }) => allocation_requests.length === 0}
        empty={<Nothing title={wallet.allocations.noRequests} />}
      >
        {({ allocation_requests }) =>
          allocation_requests.map(({ contract }) => (
            <AllocationRequest key={contract.contract_id} contract={contract} />
          ))
        }
      </ReadView>
    </Panel>
  );
}

function AllocationRequest({ contract: { contract_id, payload } }: { readonly contract: WireContract }) {
  const { wallet } = useWords();
  const party = useParty();
  const allocate = useChange("validator", "POST /v0/allocations");
  const reject = useChange(
    "validator",
    "POST /v0/wallet/token-standard/allocation-requests/{contract_id}/reject",
  );
  const settlement = payload["settlement"];
  const dso = textAt(useAmuletRules().data?.amulet_rules.contract.payload, "dso");
  const legs = entriesAt(payload, "transferLegs");
  const error = allocate.error ?? reject.error;
  return (
    <div className="stack">
      <Facts>
        <Fact term={wallet.allocations.executor}>
          <PartyText party={textAt(settlement, "executor")} />
        </Fact>
        <Fact term={wallet.allocations.allocateBefore}>
          <TimeText time={textAt(settlement, "allocateBefore")} />
        </Fact>
      </Facts>
      {legs.map(([legId, leg]) => (
        <div key={legId} className="row">
          <LegAmount leg={leg} dso={dso} />
          <PartyText party={textAt(leg, "receiver")} />
          {textAt(leg, "sender") === party && isLegOfCoin(leg, dso) ? (
            <ActionButton
              size="small"
              isPending={allocate.isPending}
              onPress={() => allocate.mutate({ body: toAskedAllocation(settlement, legId, leg) })}
            >
              {wallet.allocations.allocate}
            </ActionButton>
          ) : null}
        </div>
      ))}
      {error === null ? null : <ErrorNotice error={error} />}
      <div>
        <ContractAction change={reject} contractId={contract_id}>
          {wallet.offers.reject}
        </ContractAction>
      </div>
    </div>
  );
}

/** Of another token, its id is shown. */
function LegAmount({ leg, dso }: { readonly leg: unknown; readonly dso: string }) {
  const format = useFormat();
  const amount = textAt(leg, "amount");
  const other = () => `${format.decimal(amount)} ${textAt(leg, "instrumentId", "id")}`;
  return <strong>{isLegOfCoin(leg, dso) ? format.coin(amount) : other()}</strong>;
}
