/** Streams the contracts that were active at an offset. */
import type { ActiveContract } from "@callsign/api";
import { type Host, nextTurn } from "@callsign/node";
import { STREAM_BATCH } from "../limits/limits.ts";
import type { ActiveView } from "../reads/active-view.ts";
import { listActiveContracts } from "../store/active-contracts.ts";
import type { LedgerStore } from "../store/ledger-store.ts";

export async function* streamActiveContracts(
  { host, ledger }: { readonly host: Host; readonly ledger: LedgerStore },
  { format, ...view }: ActiveView,
  signal: AbortSignal,
): AsyncGenerator<ActiveContract, void, void> {
  let { after } = view;
  while (!signal.aborted) {
    const contracts = await listActiveContracts(ledger, { ...view, after, limit: STREAM_BATCH });
    for (const stored of contracts) {
      const active = format(stored);
      if (active !== null) yield active;
    }
    const last = contracts.at(-1);
    if (contracts.length < STREAM_BATCH || last === undefined) return;
    after = last.number;
    await nextTurn(host.timers);
  }
}
