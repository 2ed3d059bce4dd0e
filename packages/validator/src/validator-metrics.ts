/** A validator as metrics: automations, wallets, traffic, its copy of the ledger, and parties if it is told to count them. */
import { Amulet, type Decimal, formatParticipantId, LockedAmulet, WalletAppInstall } from "@callsign/ledger";
import {
  CachedRead,
  declareAutomationMetrics,
  gauge,
  type Metrics,
  oncePerTurn,
  type Sample,
} from "@callsign/node";
import { forecastTopUp, type TopUpSettings } from "./automation/top-up-traffic.ts";
import type { Connections } from "./connections.ts";
import { declareLapses } from "./lapse-metrics.ts";
import { listKnownParties } from "./ledger/known-parties.ts";
import { MAX_COINS, SHOWN_WALLETS, TRAFFIC_METRICS_MILLISECONDS } from "./limits/limits.ts";
import type { StartUp } from "./start-up.ts";
import { readTraffic } from "./wallet/traffic-reserve.ts";

export interface ValidatorMetricsParts {
  /** With the labels of the validator. */
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly startUp: StartUp;
  readonly topup: TopUpSettings | undefined;
  /** The time between counts of parties; they are not counted if undefined. */
  readonly topologyMetricsSeconds: number | undefined;
}

/** Coin is counted in units of 10^-10. */
const UNITS = 1e10;

export function declareValidatorMetrics(parts: ValidatorMetricsParts): void {
  const { metrics, startUp } = parts;
  declareAutomationMetrics(metrics, () => startUp.running?.automations.status() ?? []);
  metrics
    .labelled({ component: "validator" })
    .declare(gauge("daml_health_status", "1 if the node is ready, and 0 if it is not."), () =>
      startUp.missing === null ? 1 : 0,
    );
  declareBalances(parts);
  declareTraffic(parts);
  declareLapses(parts);
  if (parts.topologyMetricsSeconds !== undefined) declareTopology(parts, parts.topologyMetricsSeconds);
}

/** Balances are read again when the copy of the ledger has moved on. */
function declareBalances({ metrics, startUp, connections: { store } }: ValidatorMetricsParts): void {
  let known: { readonly offset: number; readonly balances: Promise<readonly Balance[]> } | null = null;
  const read = (): Promise<readonly Balance[]> => {
    const { running } = startUp;
    if (running === null) return Promise.resolve([]);
    const { offset } = running.follower;
    if (known?.offset !== offset) known = { offset, balances: listBalances(store, running.operatorParty) };
    return known.balances;
  };
  for (const [name, field, help] of [
    ["splice_wallet_unlocked_amulet_balance", "unlocked", "Coin of a wallet's party that it can spend."],
    ["splice_wallet_locked_amulet_balance", "locked", "Coin of a wallet's party that is locked."],
  ] as const) {
    metrics.declare(gauge(name, help), async () =>
      (await read()).map((balance) => ({ value: balance[field], labels: { owner: balance.owner } })),
    );
  }
}

interface Balance {
  readonly owner: string;
  readonly unlocked: number;
  readonly locked: number;
}

async function listBalances(store: Connections["store"], operator: string): Promise<readonly Balance[]> {
  const installs = await store.list(WalletAppInstall, { link: operator }, SHOWN_WALLETS);
  const owners = new Set(installs.map(({ payload }) => payload.endUserParty));
  const total = (amounts: readonly Decimal[]) =>
    amounts.reduce((sum, amount) => sum + Number(amount), 0) / UNITS;
  return Promise.all(
    [...owners].map(async (owner) => {
      const coins = await store.list(Amulet, { owner }, MAX_COINS);
      const locked = await store.list(LockedAmulet, { owner }, MAX_COINS);
      return {
        owner,
        unlocked: total(coins.map(({ payload }) => payload.amount.initialAmount)),
        locked: total(locked.map(({ payload }) => payload.amulet.amount.initialAmount)),
      };
    }),
  );
}

/** Scans are asked for the traffic once a minute at most. */
function declareTraffic(parts: ValidatorMetricsParts): void {
  const { metrics, startUp, topup, connections } = parts;
  const { facts, participant, host, store } = connections;
  const left = new CachedRead(() => readTraffic(connections), TRAFFIC_METRICS_MILLISECONDS, host.clock);
  metrics.declare(
    gauge("callsign_extra_traffic_remainder_bytes", "Bytes of bought traffic that the participant has left."),
    async () => {
      if (startUp.running === null) return [];
      const { member, bytes } = await left.get();
      return [{ value: bytes, labels: { member } }];
    },
  );
  if (topup === undefined) return;
  const forecast = oncePerTurn(async () => {
    const { running } = startUp;
    return running === null ? null : forecastTopUp({ ...running, facts, participant, store }, topup);
  });
  metrics.declare(gauge("callsign_topup_bytes", "Bytes of traffic that the next top-up buys."), async () =>
    one((await forecast())?.bytes),
  );
  metrics.declare(
    gauge(
      "callsign_topup_allowed_at_seconds",
      "The first time at which the next top-up may happen, in seconds since 1970.",
    ),
    async () => one((await forecast())?.allowedAtSeconds),
  );
}

/** The parties that its participant knows. */
function declareTopology({ metrics, connections }: ValidatorMetricsParts, seconds: number): void {
  const { participant, host } = connections;
  const counts = new CachedRead(
    async () => {
      const id = formatParticipantId(await participant.participantId());
      return { id, ...(await countParties(participant)) };
    },
    seconds * 1000,
    host.clock,
  );
  metrics.declare(
    gauge("splice_synchronizer_topology_num_parties", "Parties that the participant knows."),
    async () => (await counts.get()).known,
  );
  metrics.declare(
    gauge("splice_synchronizer_topology_num_parties_per_participant", "Parties that the participant hosts."),
    async () => {
      const { id, hosted } = await counts.get();
      return [{ value: hosted, labels: { participant_id: id } }];
    },
  );
}

async function countParties(participant: Connections["participant"]) {
  let [known, hosted] = [0, 0];
  for await (const { isLocal } of listKnownParties(participant)) {
    known++;
    if (isLocal) hosted++;
  }
  return { known, hosted };
}

function one(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ value }];
}
