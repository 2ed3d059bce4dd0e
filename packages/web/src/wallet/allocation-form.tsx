import { type FormEvent, useState } from "react";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Choice, Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { classifyQuery } from "../names/classify-query.ts";
import { readTypedAmount } from "../register/amounts.ts";
import { useWords } from "../words/words.ts";
import { AmountField } from "./amount-field.tsx";
import { ReceiverField, useReceiver } from "./receiver-field.tsx";
import { DAYS } from "./send-form.tsx";
import { useLack } from "./use-lack.ts";

const DAY_MILLISECONDS = 86_400_000;
const MAX_TEXT = 255;
const FIRST_LEG = "1";

/** Coin for one leg of a settlement that no request on the ledger asks for. */
export function AllocationForm() {
  const [count, setCount] = useState(0);
  const { wallet } = useWords();
  return (
    <Panel title={wallet.allocations.create.title}>
      <p className="soft">{wallet.allocations.create.lead}</p>
      {count === 0 ? null : <Notice kind="good">{wallet.allocations.create.done}</Notice>}
      <EmptyForm key={count} onDone={() => setCount(count + 1)} />
    </Panel>
  );
}

function EmptyForm({ onDone }: { readonly onDone: () => void }) {
  const { wallet } = useWords();
  const words = wallet.allocations.create;
  const [executor, setExecutor] = useState("");
  const [reference, setReference] = useState("");
  const [leg, setLeg] = useState(FIRST_LEG);
  const [to, setTo] = useState("");
  const [typed, setTyped] = useState("");
  const [days, setDays] = useState<(typeof DAYS)[number]>("1");
  const allocate = useChange("validator", "POST /v0/allocations");
  const receiver = useReceiver(to);
  const application = classifyQuery(executor);
  const amount = readTypedAmount(typed);
  const lack = useLack(amount);
  const found = receiver.isSelf ? null : receiver.found;
  const isNamed = reference.trim() !== "" && leg.trim() !== "";
  const isReady =
    application.kind === "party" && isNamed && found !== null && amount !== null && lack === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || allocate.isPending) return;
    const now = readNetworkClock();
    const until = (now + Number(days) * DAY_MILLISECONDS) * 1000;
    const settlement = {
      executor: application.party,
      settlement_ref: { id: reference.trim(), cid: null },
      ...{ requested_at: now * 1000, allocate_before: until, settle_before: until, meta: null },
    };
    const transfer_leg = { receiver: found.party, amount, meta: null };
    allocate.mutate(
      { body: { settlement, transfer_leg_id: leg.trim(), transfer_leg } },
      { onSuccess: onDone },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={words.executor}
        value={executor}
        onChange={setExecutor}
        problem={executor !== "" && application.kind !== "party" ? wallet.send.noParty : null}
      />
      <ReceiverField typed={to} onChange={setTo} receiver={receiver} />
      <AmountField id="allocation-amount-field" typed={typed} onChange={setTyped} lack={lack} />
      <div className="filters">
        <Field
          label={words.reference}
          hint={words.referenceHint}
          value={reference}
          onChange={setReference}
          maxLength={MAX_TEXT}
        />
        <Field label={words.leg} hint={words.legHint} value={leg} onChange={setLeg} maxLength={MAX_TEXT} />
      </div>
      <Choice
        id="allocation-days"
        label={wallet.allocations.settleBefore}
        value={days}
        onChange={setDays}
        options={DAYS.map((each) => ({ value: each, label: wallet.send.dayCount(Number(each)) }))}
      />
      {allocate.error === null ? null : <ErrorNotice error={allocate.error} />}
      <div>
        <ActionButton type="submit" isDisabled={!isReady} isPending={allocate.isPending}>
          {wallet.allocations.allocate}
        </ActionButton>
      </div>
    </form>
  );
}
