import type { NameAvailability } from "@callsign/api";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";

/** The price of one lifetime, in dollars and in coin. */
export function NamePrice({ price }: { readonly price: NameAvailability["price"] }) {
  const { names } = useWords();
  const show = useFormat();
  if (price === null) return <p className="soft">{names.noPrice}</p>;
  const length = show.length(price.lifetime_microseconds / 1000);
  return (
    <p className="verdict-price">
      <strong>{show.usd(price.usd)}</strong>
      {price.amulet === null ? null : <span>{names.orCoin(show.coin(price.amulet, 4))}</span>}
      <span className="soft">{names.forLength(length)}</span>
    </p>
  );
}
