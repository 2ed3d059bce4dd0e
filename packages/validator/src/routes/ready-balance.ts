/** The balance of a caller who is known, from coins that are known: wallet applications ask for it every second. */
import { type Api, validatorApi } from "@callsign/api";
import { type FindReady, readyTextOfCallerAt } from "@callsign/node";
import type { Balances } from "../wallet/balance.ts";
import { type CallerParts, findCachedCaller, type HostedWallets } from "./caller.ts";

interface ReadyBalanceParts extends Omit<CallerParts, "running"> {
  readonly running: () => (HostedWallets & { readonly balances: Balances }) | null;
}

export function readyBalance(api: Api, parts: ReadyBalanceParts): FindReady {
  return readyTextOfCallerAt(api, validatorApi.endpoints.getBalance, (authorization) => {
    const caller = findCachedCaller(parts, authorization);
    if (caller === undefined) return null;
    const text = parts.running()?.balances.find(caller.wallet.party);
    return text === undefined ? null : { text, user: caller.userName };
  });
}
