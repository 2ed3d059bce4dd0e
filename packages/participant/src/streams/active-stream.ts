/** Contracts that were active at an offset, until all were shown. */
import { setImmediate } from "node:timers/promises";
import type { ActiveContract } from "@callsign/api";
import type { ActiveView } from "../reads/active-view.ts";
import { listActiveContracts } from "../store/active-contracts.ts";
import type { LedgerStore } from "../store/ledger-store.ts";

/** How many contracts are read at a time. */
const BATCH = 100;

export async function* streamActiveContracts(
  ledger: LedgerStore,
  { format, ...view }: ActiveView,
  signal: AbortSignal,
): AsyncGenerator<ActiveContract, void, void> {
  let { after } = view;
  while (!signal.aborted) {
    const contracts = await listActiveContracts(ledger, { ...view, after, limit: BATCH });
    for (const stored of contracts) {
      const active = format(stored);
      if (active !== null) yield active;
    }
    const last = contracts.at(-1);
    if (contracts.length < BATCH || last === undefined) return;
    after = last.number;
    await setImmediate();
  }
}
