import { useChange } from "../calls/use-calls.ts";
import { ActionButton, ActionLink } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { NameText, PartyText, TimeText, WrittenText } from "../design/texts.tsx";
import { useCoinPrice } from "../register/network-facts.ts";
import { textAt } from "../register/payload-fields.ts";
import { priceOf } from "../register/payment-amount.ts";
import { PriceText } from "../register/price-text.tsx";
import { findSubscribedName } from "../register/subscription-decision.tsx";
import { useWords } from "../words/words.ts";
import { totalOf } from "./payment-total.ts";
import { useRequests } from "./use-offers.ts";

/** Payments and subscriptions that applications ask for. Each is looked at on a page of its own before it is paid. */
export function RequestLists() {
  const { payments, subscriptions } = useRequests();
  return (
    <>
      <PaymentRequests read={payments} />
      <SubscriptionRequests read={subscriptions} />
    </>
  );
}

type Requests = ReturnType<typeof useRequests>;

function PaymentRequests({ read }: { readonly read: Requests["payments"] }) {
  const { wallet } = useWords();
  const price = useCoinPrice();
  const reject = useChange("validator", "POST /v0/wallet/app-payment-requests/{contract_id}/reject");
  return (
    <Panel title={wallet.requests.payments}>
      {reject.error === null ? null : <ErrorNotice error={reject.error} />}
      <ReadView
        read={read}
        isEmpty={({ payment_requests }) => payment_requests.length === 0}
        empty={<p className="soft">{wallet.requests.noPayments}</p>}
      >
        {({ payment_requests }) => (
          <Table
            caption={wallet.requests.payments}
            rows={payment_requests}
            keyOf={({ contract }) => contract.contract_id}
            columns={[
              {
                title: wallet.requests.provider,
                cell: ({ contract }) => <PartyText party={textAt(contract.payload, "provider")} />,
              },
              {
                title: wallet.offers.description,
                cell: ({ contract }) => <WrittenText text={textAt(contract.payload, "description")} />,
              },
              {
                title: wallet.offers.amount,
                cell: ({ contract }) => <PriceText price={totalOf(contract.payload, price)} />,
              },
              {
                title: wallet.offers.expires,
                cell: ({ contract }) => <TimeText time={textAt(contract.payload, "expiresAt")} />,
              },
              {
                title: wallet.offers.actions,
                cell: ({ contract: { contract_id } }) => (
                  <Answer
                    href={`/confirm-payment/${contract_id}`}
                    isPending={reject.isPending}
                    onReject={() => reject.mutate({ params: { contract_id } })}
                  />
                ),
              },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}

function SubscriptionRequests({ read }: { readonly read: Requests["subscriptions"] }) {
  const { wallet } = useWords();
  const price = useCoinPrice();
  const reject = useChange("validator", "POST /v0/wallet/subscription-requests/{contract_id}/reject");
  return (
    <Panel title={wallet.requests.subscriptions}>
      {reject.error === null ? null : <ErrorNotice error={reject.error} />}
      <ReadView
        read={read}
        isEmpty={({ subscription_requests }) => subscription_requests.length === 0}
        empty={<p className="soft">{wallet.requests.noSubscriptions}</p>}
      >
        {({ subscription_requests }) => (
          <Table
            caption={wallet.requests.subscriptions}
            rows={subscription_requests}
            keyOf={({ contract_id }) => contract_id}
            columns={[
              {
                title: wallet.requests.service,
                cell: ({ payload }) => <SubscriptionTitle data={payload["subscriptionData"]} />,
              },
              {
                title: wallet.requests.provider,
                cell: ({ payload }) => <PartyText party={textAt(payload, "subscriptionData", "provider")} />,
              },
              {
                title: wallet.offers.amount,
                cell: ({ payload }) => (
                  <PriceText price={priceOf(payload, price, "payData", "paymentAmount")} />
                ),
              },
              {
                title: wallet.offers.actions,
                cell: ({ contract_id }) => (
                  <Answer
                    href={`/confirm-subscription/${contract_id}`}
                    isPending={reject.isPending}
                    onReject={() => reject.mutate({ params: { contract_id } })}
                  />
                ),
              },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}

export function SubscriptionTitle({ data }: { readonly data: unknown }) {
  const name = findSubscribedName(data);
  return name === null ? <WrittenText text={textAt(data, "description")} /> : <NameText name={name} />;
}

function Answer({
  href,
  isPending,
  onReject,
}: {
  readonly href: string;
  readonly isPending: boolean;
  readonly onReject: () => void;
}) {
  const { wallet } = useWords();
  return (
    <div className="row">
      <ActionLink href={href} size="small">
        {wallet.requests.look}
      </ActionLink>
      <ActionButton size="small" kind="danger" onPress={onReject} isPending={isPending}>
        {wallet.offers.reject}
      </ActionButton>
    </div>
  );
}
