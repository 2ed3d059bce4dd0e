/** New coin for free, on a network for development. The caller names dollars; the latest open round has the price. */
import { hash } from "node:crypto";
import { Amulet, type ContractId, type Decimal, isDecimalUnits, ONE } from "@callsign/ledger";
import { MAX_COMMAND_ID } from "../limits/limits.ts";
import { invalid, readAmount } from "./request-fields.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated, type WalletLedger } from "./wallet-ledger.ts";

export interface Tap {
  readonly amount: string;
  readonly command_id: string | null;
}

export async function tap(
  ledger: WalletLedger,
  wallet: Wallet,
  { amount, command_id }: Tap,
  deduplicationSeconds: number,
): Promise<ContractId> {
  const usd = readAmount("amount", amount, "US dollars");
  if ((command_id ?? "").length > MAX_COMMAND_ID)
    throw invalid(`command_id has at most ${MAX_COMMAND_ID} characters: choose a shorter one.`);
  const transaction = await ledger.runOperation(
    wallet,
    async ({ amuletPrice }) => ({
      operation: { tag: "CO_Tap", value: { tapAmount: coinFor(usd, amuletPrice) } },
    }),
    command_id === null
      ? {}
      : {
          identity: {
            commandId: tapCommandId(wallet.party, command_id),
            deduplicationSeconds,
          },
        },
  );
  return getCreated(transaction, Amulet);
}

/** Dollars in coin, rounded up in the tenth place, so that the coin is never worth less than the amount. */
export function coinFor(usd: Decimal, amuletPrice: Decimal): Decimal {
  const scaled = usd * ONE;
  const units = scaled / amuletPrice + (scaled % amuletPrice === 0n ? 0n : 1n);
  if (isDecimalUnits(units)) return units;
  throw invalid("amount: so many US dollars are more coin than can be counted; ask for less.");
}

function tapCommandId(party: string, commandId: string): string {
  return `tap_${hash("sha256", ["1", party, commandId].join("/"), "hex")}`;
}
