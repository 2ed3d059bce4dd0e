import { type ReactNode, useState } from "react";
import { useParams } from "wouter";
import { useRead } from "../calls/use-calls.ts";
import { ActionLink } from "../design/action.tsx";
import { Page, Panel } from "../design/layout.tsx";
import { Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { RequestView } from "../register/request-view.tsx";
import { findSubscribedName, SubscriptionDecision } from "../register/subscription-decision.tsx";
import { useNameRequests } from "../register/use-name-requests.ts";
import { WalletGate } from "../register/wallet-gate.tsx";
import { useWords } from "../words/words.ts";
import { RedirectNotice, useRedirectTarget } from "./redirect-notice.tsx";

type Answer = "paid" | "rejected" | null;

/** `/confirm-subscription/:cid/?redirect=`: a request for a subscription, such as a name's, to be paid or rejected. */
export function ConfirmSubscriptionPage() {
  const { wallet } = useWords();
  const { cid = "" } = useParams<{ cid: string }>();
  return (
    <WalletGate title={wallet.confirm.subscription}>
      <Page title={wallet.confirm.subscription} width="narrow">
        <ConfirmSubscription key={cid} cid={cid} />
      </Page>
    </WalletGate>
  );
}

function ConfirmSubscription({ cid }: { readonly cid: string }): ReactNode {
  const { wallet } = useWords();
  const target = useRedirectTarget();
  const [answer, setAnswer] = useState<Answer>(null);
  const read = useRead(
    "validator",
    "GET /v0/wallet/subscription-requests",
    {},
    { isWanted: answer === null },
  );
  const found = read.data?.subscription_requests.find(({ contract_id }) => contract_id === cid);
  const isGone = read.data !== undefined && found === undefined;
  const isName = found !== undefined && findSubscribedName(found.payload["subscriptionData"]) !== null;
  if (answer !== null || isGone) {
    return (
      <>
        {isName || isGone ? <Outcome cid={cid} answer={answer} /> : <PlainOutcome answer={answer} />}
        <RedirectNotice target={target} isFollowed={answer === "paid"} />
      </>
    );
  }
  return (
    <>
      {target.kind === "refused" ? <RedirectNotice target={target} isFollowed={false} /> : null}
      <Panel title={wallet.confirm.details}>
        <ReadView read={read} waiting={wallet.confirm.waiting}>
          {() =>
            found === undefined ? null : (
              <SubscriptionDecision
                contract={found}
                onPaid={() => setAnswer("paid")}
                onRejected={() => setAnswer("rejected")}
              />
            )
          }
        </ReadView>
      </Panel>
    </>
  );
}

/** Requests for names are followed to their end. Of other requests that are gone, nobody tells how they ended. */
function Outcome({ cid, answer }: { readonly cid: string; readonly answer: Answer }) {
  const { wallet } = useWords();
  const read = useNameRequests(true);
  return (
    <ReadView read={read} waiting={wallet.confirm.waiting}>
      {({ requests }) => {
        const request = requests.find(({ id }) => id === cid);
        if (request !== undefined) return <RequestView request={request} />;
        return answer === null ? (
          <Nothing title={wallet.confirm.gone}>
            <p>{wallet.confirm.goneAdvice}</p>
            <ActionLink href="/wallet/offers" kind="quiet">
              {wallet.places.offers}
            </ActionLink>
          </Nothing>
        ) : (
          <PlainOutcome answer={answer} />
        );
      }}
    </ReadView>
  );
}

export function PlainOutcome({ answer }: { readonly answer: Answer }) {
  const { wallet } = useWords();
  if (answer === "rejected") return <Notice title={wallet.confirm.rejected} />;
  return (
    <Notice kind="good" title={wallet.confirm.paid}>
      <p>{wallet.confirm.paidLead}</p>
    </Notice>
  );
}
