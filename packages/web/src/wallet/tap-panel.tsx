import { type FormEvent, useState } from "react";
import { makeId } from "../browser/page-host.ts";
import { useChange } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { coinOfUsd, readTypedAmount } from "../register/amounts.ts";
import { useCoinPrice } from "../register/network-facts.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

/** Free coin, on a network for development. The amount is in dollars. */
export function TapPanel() {
  const { wallet } = useWords();
  const format = useFormat();
  const price = useCoinPrice();
  const [typed, setTyped] = useState("10");
  const tap = useChange("validator", "POST /v0/wallet/tap");
  const amount = readTypedAmount(typed);
  const coin = amount === null || price === null ? null : coinOfUsd(amount, price);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount !== null && !tap.isPending) tap.mutate({ body: { amount, command_id: makeId() } });
  };
  return (
    <Panel title={wallet.tap.title}>
      <p>{wallet.tap.lead}</p>
      <form className="stack" onSubmit={submit}>
        <Field
          id="tap-amount-field"
          label={wallet.tap.amount}
          value={typed}
          onChange={setTyped}
          end="USD"
          inputMode="decimal"
          hint={coin === null ? undefined : wallet.tap.gives(format.coin(coin, 4))}
          problem={amount === null && typed !== "" ? wallet.amountProblem : null}
        />
        {tap.error === null ? null : <ErrorNotice error={tap.error} />}
        {tap.isSuccess ? <Notice kind="good">{wallet.tap.done}</Notice> : null}
        <div>
          <ActionButton id="tap-button" type="submit" isDisabled={amount === null} isPending={tap.isPending}>
            {tap.isPending ? wallet.tap.pending : wallet.tap.action}
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}
