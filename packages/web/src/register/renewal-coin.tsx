import type { OwnedEntry } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import { ActionLink } from "../design/action.tsx";
import { Notice } from "../design/notice.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { coinOfUsd, compareAmounts } from "./amounts.ts";
import { useCoinPrice } from "./network-facts.ts";

/** Says in time that the wallet could not pay the next renewal of a name. */
export function RenewalCoin({ entry: { amount, unit } }: { readonly entry: OwnedEntry }) {
  const { register } = useWords();
  const format = useFormat();
  const price = useCoinPrice();
  const balance = useRead("validator", "GET /v0/wallet/balance", {});
  const coin = unit === "USDUNIT" ? (price === null ? null : coinOfUsd(amount, price)) : amount;
  const available = balance.data?.effective_unlocked_qty ?? null;
  if (coin === null || available === null || compareAmounts(available, coin) >= 0) return null;
  return (
    <Notice kind="warn" title={register.mine.shortTitle}>
      <p>{register.mine.short(format.coin(coin), format.coin(available))}</p>
      <div>
        <ActionLink href="/wallet" kind="quiet" size="small">
          {register.mine.toWallet}
        </ActionLink>
      </div>
    </Notice>
  );
}
