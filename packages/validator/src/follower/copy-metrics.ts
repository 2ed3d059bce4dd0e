import { type Host, type Metrics, StoreMetrics } from "@callsign/node";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { WalletStore } from "../store/wallet-store.ts";

/** The metrics of the copy of the ledger; none without a registry. */
export function openCopyMetrics(
  metrics: Metrics | undefined,
  store: WalletStore,
  { clock, host }: { readonly clock: LedgerClock; readonly host: Host },
): StoreMetrics | undefined {
  if (metrics === undefined) return undefined;
  return new StoreMetrics({
    metrics,
    labels: () => ({ store_name: "wallet", store_party: store.knownOperator }),
    recordTime: () => clock.now,
    countActive: () => store.countContracts(),
    clock: host.clock,
  });
}
