/** New coin for free, on a network for development. The caller names dollars; the latest open round has the price. */
import { Amulet, type Decimal, isDecimalUnits, ONE } from "@callsign/ledger";
import { MAX_COMMAND_ID } from "../limits/limits.ts";
import type { OnceOnly } from "./once-only.ts";
import { invalid, readAmount } from "./request-fields.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated, type OperationOptions, type WalletLedger } from "./wallet-ledger.ts";

export interface TapParts {
  readonly ledger: WalletLedger;
  readonly once: OnceOnly;
}

export interface Tap {
  readonly amount: string;
  readonly command_id: string | null;
}

/** A repeated command gets the coin of the first. */
export async function tap(
  { ledger, once }: TapParts,
  wallet: Wallet,
  { amount, command_id: id }: Tap,
): Promise<string> {
  const usd = readAmount("amount", amount, "US dollars");
  if ((id ?? "").length > MAX_COMMAND_ID)
    throw invalid(`command_id has at most ${MAX_COMMAND_ID} characters: choose a shorter one.`);
  const submit = (options: OperationOptions = {}) =>
    ledger.runOperation(
      wallet,
      async ({ amuletPrice }) => ({
        operation: { tag: "CO_Tap", value: { tapAmount: coinFor(usd, amuletPrice) } },
      }),
      options,
    );
  if (id === null) return getCreated(await submit(), Amulet);
  return await once.run({
    ...{ operation: "tap", party: wallet.party, what: "Tap with command_id", id, content: amount },
    check: async () => undefined,
    submit: (identity) => submit({ identity }),
    answerOf: (transaction) => getCreated(transaction, Amulet),
  });
}

/** Dollars in coin, rounded up in the tenth place, so that the coin is never worth less than the amount. */
export function coinFor(usd: Decimal, amuletPrice: Decimal): Decimal {
  const scaled = usd * ONE;
  const units = scaled / amuletPrice + (scaled % amuletPrice === 0n ? 0n : 1n);
  if (isDecimalUnits(units)) return units;
  throw invalid("amount: so many US dollars are more coin than can be counted; ask for less.");
}
