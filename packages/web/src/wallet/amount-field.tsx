import { useRead } from "../calls/use-calls.ts";
import { Field } from "../design/field.tsx";
import { readTypedAmount, usdOfCoin } from "../register/amounts.ts";
import { useCoinPrice } from "../register/network-facts.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

/** An amount of coin, with the coin that is available and what the amount is worth. */
export function AmountField({
  id,
  typed,
  onChange,
  lack,
}: {
  readonly id: string;
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
      id={id}
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
