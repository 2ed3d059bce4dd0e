import type { WireContract } from "@callsign/api";
import { useChange } from "../calls/use-calls.ts";
import { Fact, Facts } from "../design/layout.tsx";
import { NameText, PartyText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { useCoinPrice } from "./network-facts.ts";
import { PayPanel } from "./pay-panel.tsx";
import { lengthAt, textAt } from "./payload-fields.ts";
import { priceOf } from "./payment-amount.ts";
import { PriceText } from "./price-text.tsx";

/** The name that a subscription pays for; null for one of another service. The DSO alone is the receiver of fees for names. */
export function findSubscribedName(data: unknown): string | null {
  if (textAt(data, "receiver") !== textAt(data, "dso")) return null;
  return /"([a-z0-9_.-]+)"$/.exec(textAt(data, "description"))?.[1] ?? null;
}

/** A request for a subscription: who asks, for what, at which price; paid or rejected here. */
export function SubscriptionDecision({
  contract: { contract_id, payload, created_at },
  onPaid,
  onRejected,
}: {
  readonly contract: WireContract;
  readonly onPaid?: () => void;
  readonly onRejected?: () => void;
}) {
  const { register } = useWords();
  const format = useFormat();
  const price = priceOf(payload, useCoinPrice(), "payData", "paymentAmount");
  const accept = useChange("validator", "POST /v0/wallet/subscription-requests/{contract_id}/accept");
  const reject = useChange("validator", "POST /v0/wallet/subscription-requests/{contract_id}/reject");
  const request = { params: { contract_id } };
  const data = payload["subscriptionData"];
  const name = findSubscribedName(data);
  const receiver = textAt(data, "receiver");
  const provider = textAt(data, "provider");
  return (
    <div className="stack">
      <Facts>
        {name === null ? (
          <Fact term={register.request.service}>{textAt(data, "description")}</Fact>
        ) : (
          <Fact term={register.request.name}>
            <NameText name={name} />
          </Fact>
        )}
        <Fact term={register.request.price}>
          <PriceText price={price} />{" "}
          {register.request.each(format.length(lengthAt(payload, "payData", "paymentInterval")))}
        </Fact>
        <Fact term={register.request.receiver}>
          <PartyText party={receiver} />
        </Fact>
        {provider === receiver ? null : (
          <Fact term={register.request.provider}>
            <PartyText party={provider} />
          </Fact>
        )}
        <Fact term={register.request.since}>
          <TimeText time={created_at} />
        </Fact>
      </Facts>
      <p className="soft">{register.request.firstPayment}</p>
      <PayPanel
        coin={price.coin}
        payLabel={register.pay.confirm}
        payId="sub-request-accept-button"
        pay={{ ...accept, start: () => void accept.mutateAsync(request).then(onPaid, leaveToNotice) }}
        reject={{ ...reject, start: () => void reject.mutateAsync(request).then(onRejected, leaveToNotice) }}
      />
    </div>
  );
}

/** For promises of calls that have a notice for their error. */
export function leaveToNotice(): void {
  // The panel shows it.
}
