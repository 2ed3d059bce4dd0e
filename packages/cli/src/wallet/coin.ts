/** `balance` and `tap`. */
import { decimal, decimalFromUnits, formatDecimalShort, ONE } from "@callsign/ledger";
import { trimZeros } from "../names/describe-entry.ts";
import { openWallet, type ValidatorClient } from "../networks/connection.ts";
import type { CommandCall } from "../networks/network-command.ts";
import { CommandFailure, EXIT } from "../output/exit-code.ts";

/** A positive decimal with at most ten places, as the wallet takes it. */
export function readCoinAmount(text: string): string {
  if (/^\d{1,18}(\.\d{1,10})?$/.test(text) && decimal(text) > 0n) return text;
  throw new CommandFailure(EXIT.usage, `an amount is a positive number such as 100 or 0.5, not ${text}`);
}

export async function showBalance(call: CommandCall): Promise<number> {
  const { validator } = await openWallet(call);
  const answer = await describeBalance(validator);
  const { available, locked, dollars } = answer;
  call.printer.print(answer, (paint) => {
    const more = decimal(locked) === 0n ? "" : `, and ${trimZeros(locked)} locked`;
    return `${paint("bold", `${trimZeros(available)} coin`)}${more}, ${dollars} dollars\n`;
  });
  return EXIT.done;
}

/** Dollars of the available coin at the price of the latest open round. */
async function describeBalance(validator: ValidatorClient) {
  const [balance, { open_mining_rounds: rounds }] = await Promise.all([
    validator.getBalance(),
    validator.scanProxyGetOpenAndIssuingMiningRounds(),
  ]);
  const prices = rounds.map(
    ({ contract }) => (contract.payload as { readonly amuletPrice?: string }).amuletPrice,
  );
  const amulet_price = prices.at(-1) ?? "0.0";
  const { effective_unlocked_qty: available, effective_locked_qty: locked, round } = balance;
  const dollars = (decimal(available) * decimal(amulet_price)) / ONE;
  return {
    available,
    locked,
    dollars: formatDecimalShort(decimalFromUnits(dollars)),
    amulet_price,
    round: String(round),
  };
}

export async function tapCoin(call: CommandCall): Promise<number> {
  const amount = readCoinAmount(call.words[0] ?? "");
  const { validator } = await openWallet(call);
  call.progress.begin(`taking coin for ${amount} dollars`);
  const answer = await validator.tap({ body: { amount, command_id: call.host.randomness.uuid() } });
  const balance = await describeBalance(validator);
  call.progress.done();
  call.printer.print(
    { ...answer, balance },
    () => `Tapped ${amount} dollars; the wallet has ${trimZeros(balance.available)} coin now.\n`,
  );
  return EXIT.done;
}
