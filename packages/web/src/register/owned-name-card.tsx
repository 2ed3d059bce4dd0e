import type { OwnedEntry } from "@callsign/api";
import { useState } from "react";
import { useNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Fact, Facts } from "../design/layout.tsx";
import { Badge, ErrorNotice } from "../design/notice.tsx";
import { CopyButton, NameLink, OthersLink, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { AutoRenewal } from "./auto-renewal.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RenewalCoin } from "./renewal-coin.tsx";
import { findSubscribedName } from "./subscription-decision.tsx";

/** Splice writes times of this list as milliseconds in a text. */
function toTime(milliseconds: string): string {
  return new Date(Number(milliseconds)).toISOString();
}

/** The subscription that renews a name, with its idle state's id where it can be cancelled. */
function useSubscriptionOf(name: string) {
  const { data } = useRead("validator", "GET /v0/wallet/subscriptions", {});
  const found = data?.subscriptions.find(
    ({ subscription }) => findSubscribedName(subscription.payload["subscriptionData"]) === name,
  );
  if (found === undefined) return null;
  const idleId = "idle" in found.state ? found.state.idle.contract_id : null;
  return { id: found.subscription.contract_id, idleId };
}

/** One name of the user: its facts and everything that can be done about it. */
export function OwnedNameCard({ entry, isOnly }: { readonly entry: OwnedEntry; readonly isOnly: boolean }) {
  const { register } = useWords();
  const { shell } = useWords();
  const state = entry.state ?? "subscribed";
  return (
    <article className="panel" aria-label={entry.name}>
      <div className="panel-head">
        <h2>
          <NameLink name={entry.name} />
          <CopyButton text={entry.name} label={shell.copyName} />
        </h2>
        <span className="row">
          {entry.primary === true ? <Badge kind="accent">{register.mine.primary}</Badge> : null}
          <Badge kind={state === "cancelled" ? "warn" : "good"}>{register.mine.states[state]}</Badge>
        </span>
      </div>
      <EntryFacts entry={entry} />
      <EntryActions entry={entry} isOnly={isOnly} />
    </article>
  );
}

function EntryFacts({ entry }: { readonly entry: OwnedEntry }) {
  const { register } = useWords();
  const format = useFormat();
  const { amount, unit, url = "", description = "", state = "subscribed" } = entry;
  const price = unit === "USDUNIT" ? format.usd(amount) : format.coin(amount);
  const from = entry.nextPaymentFrom ?? null;
  const dueAt = entry.nextPaymentDueAt ?? null;
  return (
    <Facts>
      {description === "" ? null : <Fact term={register.mine.description}>{description}</Fact>}
      {url === "" ? null : (
        <Fact term={register.mine.url}>
          <OthersLink url={url} />
        </Fact>
      )}
      <Fact term={state === "cancelled" ? register.mine.ends : register.mine.expires}>
        <TimeText time={toTime(entry.expiresAt)} />
      </Fact>
      {from === null || dueAt === null ? null : (
        <Fact term={register.mine.nextPayment}>
          {register.mine.paymentBetween(price, format.day(toTime(from)), format.day(toTime(dueAt)))}
        </Fact>
      )}
      {state === "paying" ? <Fact term={register.mine.nextPayment}>{register.mine.payingNow}</Fact> : null}
    </Facts>
  );
}

function EntryActions({ entry, isOnly }: { readonly entry: OwnedEntry; readonly isOnly: boolean }) {
  const { register } = useWords();
  const [isCancelling, setCancelling] = useState(false);
  const now = useNetworkClock();
  const subscription = useSubscriptionOf(entry.name);
  const takeUp = useChange("validator", "POST /ext/v1/entry/take-up");
  const setPrimary = useChange("validator", "POST /ext/v1/entry/set-primary");
  const removePrimary = useChange("validator", "POST /ext/v1/entry/remove-primary");
  const error = takeUp.error ?? setPrimary.error ?? removePrimary.error;
  const { name, state = "subscribed", primary = false } = entry;
  return (
    <div className="stack">
      {subscription === null || state === "cancelled" ? null : (
        <AutoRenewal
          name={name}
          subscriptionId={subscription.id}
          isOn={entry.autoRenewal ?? true}
          canPay={state === "subscribed" && Number(entry.nextPaymentFrom ?? "0") <= now}
        />
      )}
      {state === "subscribed" && entry.autoRenewal !== false ? <RenewalCoin entry={entry} /> : null}
      {error === null ? null : <ErrorNotice error={error} />}
      <div className="row">
        {state === "cancelled" ? (
          <ActionButton
            onPress={() => takeUp.mutate({ body: { name } })}
            isPending={takeUp.isPending}
            label={`${register.mine.takeUp}: ${name}`}
          >
            {takeUp.isPending ? register.mine.takingUp : register.mine.takeUp}
          </ActionButton>
        ) : null}
        {primary ? (
          <ActionButton
            kind="quiet"
            onPress={() => removePrimary.mutate({})}
            isPending={removePrimary.isPending}
          >
            {register.mine.removePrimary}
          </ActionButton>
        ) : isOnly ? null : (
          <ActionButton
            kind="quiet"
            label={`${register.mine.setPrimary}: ${name}`}
            onPress={() => setPrimary.mutate({ body: { name } })}
            isPending={setPrimary.isPending}
          >
            {register.mine.setPrimary}
          </ActionButton>
        )}
        {state === "cancelled" || subscription === null ? null : (
          <ActionButton
            kind="danger"
            label={`${register.mine.cancel}: ${name}`}
            isDisabled={subscription.idleId === null}
            onPress={() => setCancelling(true)}
          >
            {register.mine.cancel}
          </ActionButton>
        )}
      </div>
      {isCancelling && subscription !== null && subscription.idleId !== null ? (
        <CancelDialog entry={entry} idleId={subscription.idleId} onClose={() => setCancelling(false)} />
      ) : null}
    </div>
  );
}

function CancelDialog({
  entry: { name, expiresAt },
  idleId,
  onClose,
}: {
  readonly entry: OwnedEntry;
  readonly idleId: string;
  readonly onClose: () => void;
}) {
  const { register } = useWords();
  const format = useFormat();
  const cancel = useChange("validator", "DELETE /v0/wallet/subscription-requests/{contract_id}");
  return (
    <ConfirmDialog
      title={register.mine.cancelTitle(name)}
      action={register.mine.cancelConfirm}
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ params: { contract_id: idleId } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{register.mine.cancelLead(format.time(Number(expiresAt)))}</p>
      <ul>
        {register.mine.cancelPoints.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
