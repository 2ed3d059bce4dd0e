/**
 * Upcoming lapses as metrics: entries of wallets that end within the renewal window and are not renewed, by cause. They
 * name no party: `GET /v0/admin/automations` names the entries that wait for coin.
 */
import { parseTime } from "@callsign/ledger";
import { CachedRead, gauge, type Metrics, oncePerTurn } from "@callsign/node";
import type { Connections } from "./connections.ts";
import { NAME_RULES_METRICS_MILLISECONDS } from "./limits/limits.ts";
import type { StartUp } from "./start-up.ts";
import { AutomationReads, type Lapses } from "./store/automation-reads.ts";

export interface LapseMetricsParts {
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly startUp: StartUp;
}

export function declareLapses({ metrics, startUp, connections }: LapseMetricsParts): void {
  const { facts, clock, host, database } = connections;
  const reads = new AutomationReads(database);
  const rules = new CachedRead(() => facts.nameRules(), NAME_RULES_METRICS_MILLISECONDS, host.clock);
  const list = oncePerTurn(async () => {
    const { running } = startUp;
    if (running === null) return [];
    const { renewalDuration } = (await rules.get()).payload.config;
    const { operatorParty: validator, automations } = running;
    const span = { after: clock.now, until: clock.now + renewalDuration.microseconds };
    const details = [...automations.notDone("renew-subscriptions")].map((task) => task.details);
    const coin = countWaiting(
      details.flatMap((each) => (each?.["name"] === undefined ? [] : each["ends_at"])),
    );
    return Object.entries({ ...(await reads.countLapses({ validator, ...span })), coin });
  });
  metrics.declare(
    gauge(
      "callsign_entries_lapsing",
      "Entries of wallets that end within the renewal window and are not renewed, by cause: cancelled, renewal_off, coin.",
    ),
    async () => (await list()).map(([cause, { entries }]) => ({ value: entries, labels: { cause } })),
  );
  metrics.declare(
    gauge(
      "callsign_entries_first_lapse_seconds",
      "End of the first of these entries, in seconds since 1970.",
    ),
    async () =>
      (await list()).flatMap(([cause, { firstEnd }]) =>
        firstEnd === null ? [] : { value: Number(firstEnd) / 1e6, labels: { cause } },
      ),
  );
}

/** Entries whose renewal waits for coin, by their ends. */
function countWaiting(ends: readonly (string | undefined)[]): Lapses {
  let firstEnd: bigint | null = null;
  for (const text of ends) {
    const end = parseTime(text ?? "");
    if (end.ok && (firstEnd === null || end.value < firstEnd)) firstEnd = end.value;
  }
  return { entries: ends.length, firstEnd };
}
