import type { WireContract } from "@callsign/api";
import { useState } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { AutoRenewal } from "../register/auto-renewal.tsx";
import { ConfirmDialog } from "../register/confirm-dialog.tsx";
import { useCoinPrice } from "../register/network-facts.ts";
import { lengthAt, textAt } from "../register/payload-fields.ts";
import { priceOf } from "../register/payment-amount.ts";
import { PriceText } from "../register/price-text.tsx";
import { findSubscribedName } from "../register/subscription-decision.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { SubscriptionTitle } from "./request-lists.tsx";
import { WalletFrame } from "./wallet-frame.tsx";

interface ShownSubscription {
  readonly id: string;
  readonly state: WireContract;
  readonly isIdle: boolean;
  readonly isAutomatic: boolean;
}

/** `/wallet/subscriptions`: what is paid again and again, to whom, and when next. */
export function SubscriptionsPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="subscriptions" lead={wallet.subscriptions.lead}>
      <Subscriptions />
    </WalletFrame>
  );
}

function Subscriptions() {
  const { wallet } = useWords();
  const [cancelled, setCancelled] = useState<ShownSubscription | null>(null);
  const read = useRead("validator", "GET /v0/wallet/subscriptions", {}, { everyMilliseconds: 10_000 });
  return (
    <Panel title={wallet.places.subscriptions}>
      <ReadView
        read={read}
        isEmpty={({ subscriptions }) => subscriptions.length === 0}
        empty={<Nothing title={wallet.subscriptions.none} />}
      >
        {({ subscriptions }) => (
          <SubscriptionTable
            rows={subscriptions.map(({ subscription, state, auto_renewal }) => ({
              id: subscription.contract_id,
              state: "idle" in state ? state.idle : state.payment,
              isIdle: "idle" in state,
              isAutomatic: auto_renewal ?? true,
            }))}
            onCancel={setCancelled}
          />
        )}
      </ReadView>
      {cancelled === null ? null : (
        <CancelSubscription subscription={cancelled} onClose={() => setCancelled(null)} />
      )}
    </Panel>
  );
}

function SubscriptionTable({
  rows,
  onCancel,
}: {
  readonly rows: readonly ShownSubscription[];
  readonly onCancel: (row: ShownSubscription) => void;
}) {
  const { wallet, register } = useWords();
  const format = useFormat();
  const price = useCoinPrice();
  return (
    <Table
      caption={wallet.places.subscriptions}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: wallet.requests.service,
          cell: ({ state }) => <SubscriptionTitle data={state.payload["subscriptionData"]} />,
        },
        {
          title: register.request.receiver,
          cell: ({ state }) => <PartyText party={textAt(state.payload, "subscriptionData", "receiver")} />,
        },
        {
          title: register.request.price,
          cell: ({ state: { payload } }) => (
            <>
              <PriceText price={priceOf(payload, price, "payData", "paymentAmount")} />{" "}
              {register.request.each(format.length(lengthAt(payload, "payData", "paymentInterval")))}
            </>
          ),
        },
        {
          title: wallet.subscriptions.due,
          cell: ({ state: { payload }, isIdle }) =>
            isIdle ? (
              <TimeText time={textAt(payload, "nextPaymentDueAt")} />
            ) : (
              <Badge kind="accent">{register.mine.states.paying}</Badge>
            ),
        },
        {
          title: wallet.subscriptions.renewal,
          cell: (row) => (
            <AutoRenewal name={titleOf(row)} subscriptionId={row.id} isOn={row.isAutomatic} canPay={false} />
          ),
        },
        {
          title: wallet.offers.actions,
          cell: (row) => (
            <ActionButton
              size="small"
              kind="danger"
              isDisabled={!row.isIdle}
              label={`${register.mine.cancel}: ${titleOf(row)}`}
              onPress={() => onCancel(row)}
            >
              {register.mine.cancel}
            </ActionButton>
          ),
        },
      ]}
    />
  );
}

function titleOf({ state }: ShownSubscription): string {
  const data = state.payload["subscriptionData"];
  return findSubscribedName(data) ?? textAt(data, "description");
}

function CancelSubscription({
  subscription,
  onClose,
}: {
  readonly subscription: ShownSubscription;
  readonly onClose: () => void;
}) {
  const { wallet, register } = useWords();
  const format = useFormat();
  const cancel = useChange("validator", "DELETE /v0/wallet/subscription-requests/{contract_id}");
  const due = format.time(textAt(subscription.state.payload, "nextPaymentDueAt"));
  const isName = findSubscribedName(subscription.state.payload["subscriptionData"]) !== null;
  return (
    <ConfirmDialog
      title={register.mine.cancelTitle(titleOf(subscription))}
      action={wallet.subscriptions.cancel}
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() =>
        cancel.mutate({ params: { contract_id: subscription.state.contract_id } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>{isName ? register.mine.cancelLead(due) : wallet.subscriptions.cancelLead(due)}</p>
    </ConfirmDialog>
  );
}
