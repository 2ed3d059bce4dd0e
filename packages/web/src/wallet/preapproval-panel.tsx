import type { ContractWithState, WebConfig } from "@callsign/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { makeId } from "../browser/page-host.ts";
import { call } from "../calls/call.ts";
import { CallError } from "../calls/call-error.ts";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Fact, Facts, Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice, Waiting } from "../design/notice.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { shareOf } from "../register/amounts.ts";
import { ConfirmDialog } from "../register/confirm-dialog.tsx";
import { useAmuletRules } from "../register/network-facts.ts";
import { textAt } from "../register/payload-fields.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

/** Validators create preapprovals for so long, and the network charges by the day unless its rules say otherwise. */
const DAYS = 90n;
const DEFAULT_FEE_A_DAY = "0.00274";

/** The preapproval of a party that has not expired; null if there is none. */
export function usePreapproval(party: string | null) {
  const read = useRead(
    "validator",
    "GET /v0/scan-proxy/transfer-preapprovals/by-party/{party}",
    { params: { party: party ?? "" } },
    { isWanted: party !== null },
  );
  const isMissing = read.error instanceof CallError && read.error.status === 404;
  const found = read.data?.transfer_preapproval;
  const expiresAt = new Date(textAt(found?.contract.payload, "expiresAt")).getTime();
  const isAlive = found !== undefined && !isMissing && expiresAt > readNetworkClock();
  return { read, isKnown: read.data !== undefined || isMissing, preapproval: isAlive ? found : null };
}

/** Coin that arrives without being asked for: switched on, paid for by the validator, and switched off. */
export function PreapprovalPanel() {
  const { wallet } = useWords();
  const party = useParty();
  const { read, isKnown, preapproval } = usePreapproval(party);
  return (
    <Panel
      title={wallet.preapproval.title}
      aside={isKnown ? <StateBadge isOn={preapproval !== null} /> : null}
    >
      <p>{wallet.preapproval.lead}</p>
      {isKnown ? (
        preapproval === null ? (
          <CreatePreapproval />
        ) : (
          <ExistingPreapproval preapproval={preapproval} />
        )
      ) : read.error === null ? (
        <Waiting>{wallet.preapproval.waiting}</Waiting>
      ) : (
        <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />
      )}
    </Panel>
  );
}

function StateBadge({ isOn }: { readonly isOn: boolean }) {
  const { wallet } = useWords();
  return (
    <Badge kind={isOn ? "good" : "plain"}>{isOn ? wallet.preapproval.on : wallet.preapproval.off}</Badge>
  );
}

function CreatePreapproval() {
  const { wallet } = useWords();
  const format = useFormat();
  const rules = useAmuletRules().data?.amulet_rules.contract.payload;
  const create = useChange("validator", "POST /v0/wallet/transfer-preapproval");
  const given = textAt(rules, "configSchedule", "initialValue", "transferPreapprovalFee");
  const usd = shareOf(given === "" ? DEFAULT_FEE_A_DAY : given, DAYS, 1n);
  return (
    <>
      <p className="soft">{wallet.preapproval.cost(format.usd(usd, 4), Number(DAYS))}</p>
      {create.error === null ? null : <ErrorNotice error={create.error} />}
      <div>
        <ActionButton
          id="create-transfer-preapproval-button"
          kind="quiet"
          onPress={() => create.mutate({})}
          isPending={create.isPending}
        >
          {create.isPending ? wallet.preapproval.creating : wallet.preapproval.create}
        </ActionButton>
      </div>
    </>
  );
}

function ExistingPreapproval({ preapproval }: { readonly preapproval: ContractWithState }) {
  const { wallet } = useWords();
  const { ledger } = useWebConfig().services;
  const [isCancelling, setCancelling] = useState(false);
  const { payload } = preapproval.contract;
  return (
    <>
      <Facts>
        <Fact term={wallet.preapproval.expires}>
          <TimeText time={textAt(payload, "expiresAt")} />
        </Fact>
        <Fact term={wallet.preapproval.provider}>
          <PartyText party={textAt(payload, "provider")} />
        </Fact>
      </Facts>
      {ledger === null ? (
        <p className="soft">{wallet.preapproval.operatorCancels}</p>
      ) : (
        <div>
          <ActionButton kind="danger" onPress={() => setCancelling(true)}>
            {wallet.preapproval.cancel}
          </ActionButton>
        </div>
      )}
      {isCancelling ? (
        <CancelPreapproval preapproval={preapproval} onClose={() => setCancelling(false)} />
      ) : null}
    </>
  );
}

/** The validator's API cancels preapprovals for its operator alone; the receiver itself may on the ledger. */
function CancelPreapproval({
  preapproval: { contract },
  onClose,
}: {
  readonly preapproval: ContractWithState;
  readonly onClose: () => void;
}) {
  const { wallet } = useWords();
  const config = useWebConfig();
  const party = useParty();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelOnLedger(config, party, contract),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ["validator"] }),
  });
  return (
    <ConfirmDialog
      title={wallet.preapproval.cancelTitle}
      action={wallet.preapproval.cancel}
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>{wallet.preapproval.cancelLead}</p>
    </ConfirmDialog>
  );
}

async function cancelOnLedger(
  config: WebConfig,
  party: string,
  { template_id, contract_id }: ContractWithState["contract"],
): Promise<void> {
  await call(config, "ledger", "POST /v2/commands/submit-and-wait", {
    body: {
      commands: [
        {
          ExerciseCommand: {
            templateId: template_id,
            contractId: contract_id,
            choice: "TransferPreapproval_Cancel",
            choiceArgument: { p: party },
          },
        },
      ],
      commandId: makeId(),
      actAs: [party],
    },
  });
}
