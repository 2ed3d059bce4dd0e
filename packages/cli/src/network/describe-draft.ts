/** The terms of a draft, in the words of the keys that they come from. */
import { type FoundNetwork, formatDecimalShort, formatTime } from "@callsign/ledger";
import { type ActivationDraft, type FoundingDraft, idOfDrafted } from "@callsign/sv";
import { formatSettingDuration } from "../keys/setting-duration.ts";

export function describeDraft({ founding, hash }: FoundingDraft): string {
  const lines = [
    ...listTerms(founding).map(([what, value]) => `${what}: ${value}`),
    ...founding.svs.map(
      (sv, rank) => `SV ${rank + 1}: ${sv.name}, ${idOfDrafted(sv)}, reward weight ${sv.rewardWeight}`,
    ),
  ];
  return `Draft ${hash}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

export function describeActivation({ activation, hash }: ActivationDraft): string {
  const { network, version, member, maxRecordTime } = activation;
  return (
    `Draft ${hash}\n  activates: protocol version ${version}\n  network: ${network}\n  drafted by: ${member}\n` +
    `  can be appended until: ${formatTime(maxRecordTime)}\n` +
    "SVs and scans of a release that does not know this version stop when it is activated.\n"
  );
}

function listTerms(founding: FoundNetwork): readonly (readonly [what: string, value: unknown])[] {
  const { amuletConfig, ansRulesConfig } = founding;
  const { activeSynchronizer, fees } = amuletConfig.decentralizedSynchronizer;
  return [
    ["synchronizer", activeSynchronizer],
    ["protocol version", founding.protocolVersion],
    ["migration.id", founding.migrationId],
    ["network.isDevNet", founding.isDevNet],
    ["network.movableClock", founding.movableClock],
    ["network.tickDuration", formatSettingDuration(amuletConfig.tickDuration.microseconds)],
    ["network.freeTrafficBytes", fees.baseRateTrafficLimits.burstAmount],
    ["network.amuletPrice", formatDecimalShort(founding.amuletPrice)],
    ["network.initialAnsConfig.entryFee", formatDecimalShort(ansRulesConfig.entryFee)],
    [
      "network.initialAnsConfig.entryLifetime",
      formatSettingDuration(ansRulesConfig.entryLifetime.microseconds),
    ],
    [
      "network.initialAnsConfig.renewalDuration",
      formatSettingDuration(ansRulesConfig.renewalDuration.microseconds),
    ],
    ["acronym of names", founding.acronym],
  ];
}
