import { type ReactNode, useState } from "react";
import { useRead } from "../calls/use-calls.ts";
import { Panel } from "../design/layout.tsx";
import { ReadView } from "../design/read-view.tsx";
import { RequestView } from "../register/request-view.tsx";
import { findSubscribedName, SubscriptionDecision } from "../register/subscription-decision.tsx";
import { useNameRequests } from "../register/use-name-requests.ts";
import { useWords } from "../words/words.ts";
import { type Answer, AnswerNotice, ConfirmFrame, GoneNotice } from "./confirm-frame.tsx";
import { RedirectNotice, useRedirectTarget } from "./redirect-notice.tsx";

/** `/confirm-subscription/:cid/?redirect=`: a request for a subscription, such as a name's, to be paid or rejected. */
export function ConfirmSubscriptionPage() {
  const { wallet } = useWords();
  return (
    <ConfirmFrame title={wallet.confirm.subscription}>
      {(cid) => <ConfirmSubscription key={cid} cid={cid} />}
    </ConfirmFrame>
  );
}

function ConfirmSubscription({ cid }: { readonly cid: string }): ReactNode {
  const { wallet } = useWords();
  const target = useRedirectTarget();
  const [answer, setAnswer] = useState<Answer | null>(null);
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
        {isName || isGone || answer === null ? (
          <Outcome cid={cid} answer={answer} />
        ) : (
          <AnswerNotice answer={answer} />
        )}
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
function Outcome({ cid, answer }: { readonly cid: string; readonly answer: Answer | null }) {
  const { wallet } = useWords();
  const read = useNameRequests(true);
  return (
    <ReadView read={read} waiting={wallet.confirm.waiting}>
      {({ requests }) => {
        const request = requests.find(({ id }) => id === cid);
        if (request !== undefined) return <RequestView request={request} />;
        return answer === null ? <GoneNotice /> : <AnswerNotice answer={answer} />;
      }}
    </ReadView>
  );
}
