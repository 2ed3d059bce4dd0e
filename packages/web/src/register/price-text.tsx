import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import type { Price } from "./payment-amount.ts";

/** Coin is shown with so many digits where it is a conversion. */
const SHOWN_DIGITS = 4;

/** `$1.00 · about 200 CC` */
export function PriceText({ price: { usd, coin } }: { readonly price: Price }) {
  const { register } = useWords();
  const format = useFormat();
  if (usd === null && coin === null) return <span>{register.pay.unknownPrice}</span>;
  if (usd === null) return <span>{format.coin(coin ?? "")}</span>;
  if (coin === null) return <span>{format.usd(usd)}</span>;
  return (
    <span>
      {format.usd(usd, SHOWN_DIGITS)}
      <span className="soft"> · {format.coin(coin, SHOWN_DIGITS)}</span>
    </span>
  );
}
