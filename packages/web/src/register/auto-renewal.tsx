import { useChange } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useWords } from "../words/words.ts";
import "./switch.css";

/** The switch of automatic renewal, and the button that pays by hand once a payment is due. */
export function AutoRenewal({
  name,
  subscriptionId,
  isOn,
  canPay,
}: {
  readonly name: string;
  readonly subscriptionId: string;
  readonly isOn: boolean;
  readonly canPay: boolean;
}) {
  const { register } = useWords();
  const params = { subscription_id: subscriptionId };
  const change = useChange("validator", "POST /ext/v1/wallet/subscriptions/{subscription_id}/auto-renewal");
  const pay = useChange("validator", "POST /ext/v1/wallet/subscriptions/{subscription_id}/pay");
  const isShownOn = change.isPending ? change.variables.body.enabled : isOn;
  return (
    <div className="stack">
      <label className="switch">
        <input
          type="checkbox"
          checked={isShownOn}
          disabled={change.isPending}
          aria-label={register.mine.autoRenewalOf(name)}
          onChange={(event) => change.mutate({ params, body: { enabled: event.target.checked } })}
        />
        {isShownOn ? register.mine.autoRenewalOn : register.mine.autoRenewalOff}
      </label>
      {change.error === null ? null : <ErrorNotice error={change.error} />}
      {pay.error === null ? null : <ErrorNotice error={pay.error} />}
      {canPay ? (
        <div>
          <ActionButton size="small" onPress={() => pay.mutate({ params })} isPending={pay.isPending}>
            {register.mine.payNow}
          </ActionButton>
        </div>
      ) : null}
    </div>
  );
}
