import type { WireContract } from "@callsign/api";
import { type ReactNode, useState } from "react";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { Fact, Facts, Panel } from "../design/layout.tsx";
import { Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { useCoinPrice } from "../register/network-facts.ts";
import { PayPanel } from "../register/pay-panel.tsx";
import { listAt, textAt } from "../register/payload-fields.ts";
import { priceOf } from "../register/payment-amount.ts";
import { PriceText } from "../register/price-text.tsx";
import { leaveToNotice } from "../register/subscription-decision.tsx";
import { useWords } from "../words/words.ts";
import { type Answer, AnswerNotice, ConfirmFrame, GoneNotice } from "./confirm-frame.tsx";
import { totalOf } from "./payment-total.ts";
import { RedirectNotice, useRedirectTarget } from "./redirect-notice.tsx";

/** `/confirm-payment/:cid/?redirect=`: a payment that an application asks for. */
export function ConfirmPaymentPage() {
  const { wallet } = useWords();
  return (
    <ConfirmFrame title={wallet.confirm.payment}>
      {(cid) => <ConfirmPayment key={cid} cid={cid} />}
    </ConfirmFrame>
  );
}

function ConfirmPayment({ cid }: { readonly cid: string }): ReactNode {
  const { wallet } = useWords();
  const target = useRedirectTarget();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const read = useRead("validator", "GET /v0/wallet/app-payment-requests", {}, { isWanted: answer === null });
  const found = read.data?.payment_requests.find(({ contract }) => contract.contract_id === cid);
  if (answer !== null) {
    return (
      <>
        <AnswerNotice answer={answer} />
        <RedirectNotice target={target} isFollowed={answer === "paid"} />
      </>
    );
  }
  if (read.data !== undefined && found === undefined) {
    return (
      <>
        <GoneNotice />
        <RedirectNotice target={target} isFollowed={false} />
      </>
    );
  }
  return (
    <>
      {target.kind === "refused" ? <RedirectNotice target={target} isFollowed={false} /> : null}
      <Panel title={wallet.confirm.details}>
        <ReadView read={read} waiting={wallet.confirm.waiting}>
          {() =>
            found === undefined ? null : <PaymentDecision contract={found.contract} onAnswer={setAnswer} />
          }
        </ReadView>
      </Panel>
    </>
  );
}

function PaymentDecision({
  contract: { contract_id, payload },
  onAnswer,
}: {
  readonly contract: WireContract;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const { wallet, register } = useWords();
  const coinPrice = useCoinPrice();
  const total = totalOf(payload, coinPrice);
  const request = { params: { contract_id } };
  const accept = useChange("validator", "POST /v0/wallet/app-payment-requests/{contract_id}/accept");
  const reject = useChange("validator", "POST /v0/wallet/app-payment-requests/{contract_id}/reject");
  const expiresAt = textAt(payload, "expiresAt");
  const isOver = new Date(expiresAt).getTime() <= readNetworkClock();
  return (
    <div className="stack">
      <Facts>
        <Fact term={wallet.offers.description}>{textAt(payload, "description")}</Fact>
        <Fact term={register.request.price}>
          <PriceText price={total} />
        </Fact>
        {listAt(payload, "receiverAmounts").map((each) => (
          <Fact key={JSON.stringify(each)} term={register.request.receiver}>
            <PartyText party={textAt(each, "receiver")} />{" "}
            <PriceText price={priceOf(each, coinPrice, "amount")} />
          </Fact>
        ))}
        <Fact term={register.request.provider}>
          <PartyText party={textAt(payload, "provider")} />
        </Fact>
        <Fact term={wallet.offers.expires}>
          <TimeText time={expiresAt} />
        </Fact>
      </Facts>
      {isOver ? <Notice kind="warn">{wallet.offers.over}</Notice> : null}
      <PayPanel
        coin={total.coin}
        payLabel={register.pay.confirm}
        payId="payment-request-accept-button"
        pay={{
          ...accept,
          start: () => void accept.mutateAsync(request).then(() => onAnswer("paid"), leaveToNotice),
        }}
        reject={{
          ...reject,
          start: () => void reject.mutateAsync(request).then(() => onAnswer("rejected"), leaveToNotice),
        }}
      />
    </div>
  );
}
