import { type FormEvent, useState } from "react";
import { useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Choice, Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { compareAmounts, readTypedAmount, subtractAmounts, usdOfCoin } from "../register/amounts.ts";
import { useCoinPrice } from "../register/network-facts.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { listWays, type PlannedTransfer, planTransfer, type TransferWay } from "./planned-transfer.ts";
import { usePreapproval } from "./preapproval-panel.tsx";
import { ReceiverField, useReceiver } from "./receiver-field.tsx";

const DAYS = ["1", "10", "30", "60", "90"] as const;
const MAX_DESCRIPTION = 279;

export function SendForm({
  to,
  onPlan,
}: {
  readonly to: string;
  readonly onPlan: (planned: PlannedTransfer) => void;
}) {
  const { wallet } = useWords();
  const [typed, setTyped] = useState(to);
  const [coin, setCoin] = useState("");
  const [description, setDescription] = useState("");
  const [days, setDays] = useState<(typeof DAYS)[number]>("10");
  const [chosen, setChosen] = useState<TransferWay | null>(null);
  const receiver = useReceiver(typed);
  const ways = useWays(receiver.found?.party ?? null);
  const way = chosen !== null && ways.includes(chosen) ? chosen : ways[0];
  const amount = readTypedAmount(coin);
  const lack = useLack(amount);
  const found = receiver.isSelf ? null : receiver.found;
  const isReady = found !== null && amount !== null && way !== undefined && lack === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    onPlan(
      planTransfer({ receiver: found, way, amount, description: description.trim(), days: Number(days) }),
    );
  };
  return (
    <Panel title={wallet.send.title}>
      <form className="stack" onSubmit={submit}>
        <ReceiverField typed={typed} onChange={setTyped} receiver={receiver} />
        <AmountField typed={coin} onChange={setCoin} lack={lack} />
        <Field
          label={wallet.send.description}
          hint={wallet.send.descriptionHint}
          value={description}
          onChange={setDescription}
          maxLength={MAX_DESCRIPTION}
        />
        {found === null || way === undefined ? null : (
          <div className="filters">
            <Choice
              id="send-way"
              label={wallet.send.way}
              value={way}
              onChange={setChosen}
              options={ways.map((each) => ({ value: each, label: wallet.send.ways[each] }))}
            />
            {way === "at-once" ? null : (
              <Choice
                id="send-days"
                label={wallet.send.days}
                value={days}
                onChange={setDays}
                options={DAYS.map((each) => ({ value: each, label: wallet.send.dayCount(Number(each)) }))}
              />
            )}
          </div>
        )}
        {found === null || way === undefined ? null : <p className="soft">{wallet.send.wayHints[way]}</p>}
        <div>
          <ActionButton type="submit" id="send-review-button" isDisabled={!isReady}>
            {wallet.send.review}
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}

/** Empty until it is known whether the receiver has a preapproval. */
function useWays(party: string | null): readonly TransferWay[] {
  const { isKnown, preapproval } = usePreapproval(party);
  const { data } = useRead("validator", "GET /v0/feature-support", {});
  if (!isKnown || data === undefined) return [];
  return listWays({ preapproval: preapproval !== null, tokenStandard: data.token_standard });
}

/** The coin that the user lacks for the amount; null if there is enough, or while the balance is unknown. */
function useLack(amount: string | null): string | null {
  const { data } = useRead("validator", "GET /v0/wallet/balance", {});
  if (amount === null || data === undefined) return null;
  const available = data.effective_unlocked_qty;
  return compareAmounts(amount, available) > 0 ? subtractAmounts(amount, available) : null;
}

function AmountField({
  typed,
  onChange,
  lack,
}: {
  readonly typed: string;
  readonly onChange: (typed: string) => void;
  readonly lack: string | null;
}) {
  const { wallet } = useWords();
  const format = useFormat();
  const price = useCoinPrice();
  const { data } = useRead("validator", "GET /v0/wallet/balance", {});
  const amount = readTypedAmount(typed);
  const available =
    data === undefined ? "" : wallet.send.available(format.coin(data.effective_unlocked_qty, 4));
  const usd =
    amount === null || price === null ? "" : ` ${wallet.send.worth(format.usd(usdOfCoin(amount, price), 4))}`;
  const problem = ((): string | null => {
    if (typed !== "" && amount === null) return wallet.amountProblem;
    return lack === null ? null : wallet.send.lack(format.coin(lack));
  })();
  return (
    <Field
      id="send-amount-field"
      label={wallet.send.amount}
      value={typed}
      onChange={onChange}
      end={format.coin("0").replace(/^0\s*/, "")}
      inputMode="decimal"
      hint={`${available}${usd}`}
      problem={problem}
    />
  );
}
