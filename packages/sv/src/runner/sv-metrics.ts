/** An SV's automations, the rounds and the validators' licenses, under the names that Splice's SVs have. */
import { IssuingMiningRound, OpenMiningRound, ValidatorLicense } from "@callsign/ledger";
import {
  counter,
  declareAutomationMetrics,
  gauge,
  type Metrics,
  oncePerTurn,
  type Sample,
} from "@callsign/node";
import type { ScanIndex } from "@callsign/scan";
import { SHOWN_LICENSES } from "../limits/limits.ts";
import type { SvAutomations } from "./sv-automations.ts";

const OUTCOMES = ["accepted", "lost", "failed"] as const;

export function declareSvMetrics(metrics: Metrics, automation: SvAutomations, index: ScanIndex): void {
  const status = oncePerTurn(() => automation.status());
  metrics.declare(
    counter("callsign_sv_submissions_total", "Submissions of the SV's automation, by what became of them."),
    () => OUTCOMES.map((outcome) => ({ labels: { outcome }, value: status()[outcome] })),
  );
  const declareGauge = (name: string, help: string, read: () => number | readonly Sample[]) =>
    metrics.declare(gauge(name, help), read);
  declareGauge(
    "callsign_sv_tasks_waiting",
    "Tasks of the SV's automation that wait for their turn.",
    () => status().waiting,
  );
  declareAutomationMetrics(metrics, () => status().automations);
  declareGauge("splice_sv_dso_store_latest_open_mining_round", "The latest round that is open.", () => {
    const open = index.contracts.list(OpenMiningRound).filter(({ payload }) => payload.opensAt <= index.now);
    return latest(open.map(({ payload }) => payload.round.number));
  });
  declareGauge(
    "splice_sv_dso_store_latest_issuing_mining_round",
    "The latest round that issues rewards.",
    () => latest(index.contracts.list(IssuingMiningRound).map(({ payload }) => payload.round.number)),
  );
  declareGauge(
    "splice_validator_last_active_at_us",
    "When the validator was last active by its license, in microseconds since 1970.",
    () => listLicenses(index),
  );
}

/** None before there is a round. */
function latest(rounds: readonly bigint[]): readonly Sample[] {
  const last = rounds.at(-1);
  return last === undefined ? [] : [{ value: Number(last) }];
}

/** After every contract. */
const MAX_PLACE = 2n ** 63n - 1n;

/** The newest licenses. */
function listLicenses({ contracts }: ScanIndex): readonly Sample[] {
  const licenses = contracts.listNewest(ValidatorLicense, { before: MAX_PLACE, limit: SHOWN_LICENSES });
  return licenses.flatMap(({ payload: { validator, lastActiveAt, metadata } }) =>
    lastActiveAt === null
      ? []
      : [
          {
            value: Number(lastActiveAt),
            labels: {
              validator_party: validator,
              version: metadata?.version ?? "",
              contact_point: metadata?.contactPoint ?? "",
            },
          },
        ],
  );
}
