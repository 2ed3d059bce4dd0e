import type { WebConfig } from "@callsign/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../calls/call.ts";
import { CallError } from "../calls/call-error.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton, ActionLink } from "../design/action.tsx";
import { Fact, Facts, Panel } from "../design/layout.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { TimeText } from "../design/texts.tsx";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { rememberOwner } from "./known-owners.ts";
import type { PlannedTransfer } from "./planned-transfer.ts";
import { ReceiverFacts } from "./receiver-field.tsx";
import "../register/switch.css";

/** The transfer once more before it is made, and how it went. */
export function SendReview({
  planned,
  onBack,
  onAgain,
}: {
  readonly planned: PlannedTransfer;
  readonly onBack: () => void;
  readonly onAgain: () => void;
}) {
  const { wallet } = useWords();
  const config = useWebConfig();
  const client = useQueryClient();
  const party = useParty();
  const { receiver } = planned;
  useEffect(() => {
    scrollTo(0, 0);
  }, []);
  const [isSure, setSure] = useState(receiver.formerOwner === null);
  const send = useMutation({
    mutationFn: () => sendTransfer(config, planned),
    onSuccess: () => {
      if (receiver.entry !== null) rememberOwner(party, receiver.entry.name, receiver.party);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["validator"] }),
  });
  if (send.isSuccess) return <SentNotice planned={planned} isWaiting={send.data} onAgain={onAgain} />;
  return (
    <Panel title={wallet.send.reviewTitle}>
      <ReviewFacts planned={planned} />
      {receiver.formerOwner === null ? null : (
        <label className="switch">
          <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.target.checked)} />
          {wallet.send.sure}
        </label>
      )}
      <SendError error={send.error} />
      <div className="row">
        <ActionButton
          id="send-button"
          onPress={() => send.mutate()}
          isPending={send.isPending}
          isDisabled={!isSure}
        >
          {send.isPending ? wallet.send.sending : wallet.send.send}
        </ActionButton>
        <ActionButton kind="quiet" onPress={onBack} isDisabled={send.isPending}>
          {wallet.send.change}
        </ActionButton>
      </div>
    </Panel>
  );
}

function ReviewFacts({ planned }: { readonly planned: PlannedTransfer }) {
  const { wallet } = useWords();
  const format = useFormat();
  const { receiver, amount, description, way, expiresAt } = planned;
  return (
    <>
      <ReceiverFacts found={receiver} />
      <Facts>
        <Fact term={wallet.send.amount}>
          <strong>{format.coin(amount)}</strong>
        </Fact>
        {description === "" ? null : <Fact term={wallet.send.description}>{description}</Fact>}
        <Fact term={wallet.send.way}>{wallet.send.ways[way]}</Fact>
        {way === "at-once" ? null : (
          <Fact term={wallet.send.days}>
            <TimeText time={new Date(expiresAt / 1000).toISOString()} />
          </Fact>
        )}
      </Facts>
    </>
  );
}

function SendError({ error }: { readonly error: unknown }) {
  const { wallet } = useWords();
  if (error === null) return null;
  const isOpen = error instanceof CallError && (error.isPassing || error.kind === "too-slow");
  return (
    <>
      <ErrorNotice error={error} />
      {isOpen ? <p className="soft">{wallet.send.repeatSafe}</p> : null}
    </>
  );
}

function SentNotice({
  planned: { amount, way, receiver },
  isWaiting,
  onAgain,
}: {
  readonly planned: PlannedTransfer;
  /** True if the receiver has to accept. */
  readonly isWaiting: boolean;
  readonly onAgain: () => void;
}) {
  const { wallet } = useWords();
  const format = useFormat();
  const to = receiver.entry?.name ?? receiver.party.split("::")[0] ?? "";
  const title = isWaiting
    ? wallet.send.offered(format.coin(amount), to)
    : wallet.send.sent(format.coin(amount), to);
  return (
    <Notice kind="good" title={title}>
      <p>{isWaiting ? wallet.send.offeredLead[way === "offer" ? "offer" : "token"] : wallet.send.sentLead}</p>
      <div className="row">
        <ActionLink href={isWaiting ? "/wallet/offers" : "/wallet/history"} kind="quiet">
          {isWaiting ? wallet.places.offers : wallet.places.history}
        </ActionLink>
        <ActionButton kind="quiet" onPress={onAgain}>
          {wallet.send.again}
        </ActionButton>
      </div>
    </Notice>
  );
}

/** True if the receiver has to accept. */
async function sendTransfer(config: WebConfig, planned: PlannedTransfer): Promise<boolean> {
  const { id, amount, description, way, receiver, expiresAt } = planned;
  const receiver_party_id = receiver.party;
  const tracked = { receiver_party_id, amount, description, expires_at: expiresAt, tracking_id: id };
  switch (way) {
    case "at-once": {
      const body = { receiver_party_id, amount, deduplication_id: id, description };
      await call(config, "validator", "POST /v0/wallet/transfer-preapproval/send", { body });
      return false;
    }
    case "token": {
      const body = tracked;
      const { output } = await call(config, "validator", "POST /v0/wallet/token-standard/transfers", {
        body,
      });
      return !("receiver_holding_cids" in output);
    }
    case "offer":
      await call(config, "validator", "POST /v0/wallet/transfer-offers", { body: tracked });
      return true;
  }
}
