import { type FormEvent, useState } from "react";
import { useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Choice, Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { readTypedAmount } from "../register/amounts.ts";
import { useWords } from "../words/words.ts";
import { AmountField } from "./amount-field.tsx";
import { listWays, type PlannedTransfer, planTransfer, type TransferWay } from "./planned-transfer.ts";
import { usePreapproval } from "./preapproval-panel.tsx";
import { ReceiverField, useReceiver } from "./receiver-field.tsx";
import { useLack } from "./use-lack.ts";

export const DAYS = ["1", "10", "30", "60", "90"] as const;
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
        <ReceiverField typed={typed} onChange={setTyped} receiver={receiver} autoFocus />
        <AmountField id="send-amount-field" typed={coin} onChange={setCoin} lack={lack} />
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
