import type { NameRequest } from "@callsign/api";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useRead } from "../calls/use-calls.ts";
import { ActionLink } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Notice, Waiting } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { NameLink, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { isOpen, stepsOf } from "./name-request.ts";
import { Steps } from "./steps.tsx";
import { SubscriptionDecision } from "./subscription-decision.tsx";
import { useTick } from "./use-tick.ts";

const SLOW_MILLISECONDS = 30_000;

/** One request for a name: how far it is, what it waits for, and how it ended. */
export function RequestView({ request }: { readonly request: NameRequest }) {
  const { register } = useWords();
  useTick(1000, isOpen(request));
  return (
    <div className="columns">
      <Panel title={register.steps.title}>
        <Steps steps={stepsOf(request)} isTakeUp={request.purpose === "take_up"} />
      </Panel>
      <div className="stack" aria-live="polite">
        <RequestOutcome request={request} />
      </div>
    </div>
  );
}

function RequestOutcome({ request }: { readonly request: NameRequest }) {
  const { register } = useWords();
  switch (request.state) {
    case "waiting_for_payment":
      return <PaymentToMake request={request} />;
    case "paid":
    case "requested":
      return <Collecting request={request} />;
    case "registered":
      return (
        <Notice kind="good" title={register.outcome.registeredTitle}>
          <p>
            <NameLink name={request.name} /> {register.outcome.registered}
          </p>
          <div className="row">
            <ActionLink href="/my-names" id="ans-entries-button">
              {register.outcome.toMyNames}
            </ActionLink>
            <ActionLink href={`/names/${encodeURIComponent(request.name)}`} kind="quiet">
              {register.outcome.toName}
            </ActionLink>
          </div>
        </Notice>
      );
    default:
      return <Failed request={request} />;
  }
}

function PaymentToMake({ request }: { readonly request: NameRequest }) {
  const { register } = useWords();
  const read = useRead("validator", "GET /v0/wallet/subscription-requests", {});
  const found = read.data?.subscription_requests.find(({ contract_id }) => contract_id === request.id);
  return (
    <Panel title={register.request.title}>
      <ReadView read={read}>
        {() =>
          found === undefined ? (
            <Waiting>{register.request.changing}</Waiting>
          ) : (
            <SubscriptionDecision contract={found} />
          )
        }
      </ReadView>
    </Panel>
  );
}

function Collecting({ request }: { readonly request: NameRequest }) {
  const { register } = useWords();
  const since = request.payment?.at ?? request.requestedAt;
  const isSlow = readNetworkClock() - new Date(since).getTime() > SLOW_MILLISECONDS;
  return (
    <Notice kind={isSlow ? "warn" : "accent"} title={register.outcome.collectingTitle}>
      <p>
        {register.outcome.collecting} {register.steps.waitingSince} <TimeText time={since} />.
      </p>
      {isSlow ? <p>{register.outcome.slow}</p> : null}
      <p className="notice-words">{register.outcome.leave}</p>
    </Notice>
  );
}

function Failed({ request }: { readonly request: NameRequest }) {
  const { register } = useWords();
  const format = useFormat();
  const { state, reason, refund, name } = request;
  const told = reason !== null ? register.refunds[reason] : register.ends[endOf(state)];
  return (
    <Notice kind={state === "rejected" ? "plain" : "bad"} title={register.outcome.failedTitle}>
      <p>{told}</p>
      {refund === null ? null : (
        <p>
          <strong>{register.outcome.refunded(format.coin(refund.amount))}</strong>{" "}
          <TimeText time={refund.at} />
        </p>
      )}
      {refund === null && request.payment === null ? <p>{register.outcome.nothingPaid}</p> : null}
      <div className="row">
        <ActionLink href={`/register/${encodeURIComponent(name)}`} kind="quiet">
          {register.outcome.again}
        </ActionLink>
      </div>
    </Notice>
  );
}

function endOf(state: NameRequest["state"]): "expired" | "rejected" | "withdrawn" | "refused" | "givenBack" {
  switch (state) {
    case "expired":
    case "rejected":
    case "withdrawn":
    case "refused":
      return state;
    default:
      return "givenBack";
  }
}
