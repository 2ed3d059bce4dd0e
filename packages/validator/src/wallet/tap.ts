/** New coin for free, on a network for development. The caller names dollars; the latest open round has the price. */
import { hash } from "node:crypto";
import { spliceError } from "@callsign/api";
import { Amulet, type ContractId, type Decimal, isDecimalUnits, parseDecimal } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import type { Wallet } from "./wallet.ts";
import { getCreated, type WalletLedger } from "./wallet-ledger.ts";

export interface Tap {
  readonly amount: string;
  readonly command_id: string | null;
}

const DEDUPLICATION_SECONDS = 24 * 60 * 60;
const UNIT = 10_000_000_000n;
const MAX_COMMAND_ID = 1000;

export async function tap(
  ledger: WalletLedger,
  wallet: Wallet,
  { amount, command_id }: Tap,
): Promise<ContractId> {
  const usd = readAmount(amount);
  if ((command_id ?? "").length > MAX_COMMAND_ID) {
    throw new Refusal(
      spliceError(400, `command_id has at most ${MAX_COMMAND_ID} characters: choose a shorter one.`),
    );
  }
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
            deduplicationSeconds: DEDUPLICATION_SECONDS,
          },
        },
  );
  return getCreated(transaction, Amulet);
}

/** Dollars in coin, rounded up in the tenth place, so that the coin is never worth less than was asked for. */
export function coinFor(usd: Decimal, amuletPrice: Decimal): Decimal {
  const scaled = usd * UNIT;
  const units = scaled / amuletPrice + (scaled % amuletPrice === 0n ? 0n : 1n);
  if (isDecimalUnits(units)) return units;
  throw new Refusal(
    spliceError(400, "amount: so many US dollars are more coin than can be counted; ask for less."),
  );
}

function readAmount(text: string): Decimal {
  const amount = parseDecimal(text);
  if (!amount.ok) throw new Refusal(spliceError(400, `amount: ${amount.error}`));
  if (amount.value <= 0n) {
    throw new Refusal(spliceError(400, `amount: ${text} is not allowed; ask for more than 0 US dollars.`));
  }
  return amount.value;
}

function tapCommandId(party: string, commandId: string): string {
  return `tap_${hash("sha256", ["1", party, commandId].join("/"), "hex")}`;
}
