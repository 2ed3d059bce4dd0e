/** The acronym and the terms of names are set by the founding, and no vote changes them. */
import { formatDecimalShort } from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import type { LastingTerms } from "@callsign/sv";
import { formatSettingDuration } from "../keys/setting-duration.ts";
import type { SvSetup } from "./setups.ts";

/** Throws if values are given that the network was not founded with. Omitted keys stay as they were founded. */
export function checkFoundingTerms({ network, dataFolder }: SvSetup, founded: LastingTerms): void {
  const { entryFee, entryLifetime, renewalDuration } = founded.ansRulesConfig;
  const terms: readonly (readonly [key: string, given: string | undefined, founded: string])[] = [
    ["spliceInstanceNames.nameServiceNameAcronym", network.acronym, founded.acronym],
    ["initialAnsConfig.entryFee", show(network.entryFee, formatDecimalShort), formatDecimalShort(entryFee)],
    [
      "initialAnsConfig.entryLifetime",
      show(network.entryLifetimeMicroseconds, formatSettingDuration),
      formatSettingDuration(entryLifetime.microseconds),
    ],
    [
      "initialAnsConfig.renewalDuration",
      show(network.renewalMicroseconds, formatSettingDuration),
      formatSettingDuration(renewalDuration.microseconds),
    ],
  ];
  const others = terms
    .filter(([, given, kept]) => given !== undefined && given !== kept)
    .map(([key, given, kept]) => `network.${key} is ${given}, and was ${kept}`);
  if (others.length === 0) return;
  throw new CannotStart(
    `the network in ${dataFolder} keeps what it was founded with: ${others.join("; ")}. Give the old values, or found ` +
      "another network: set callsign.dataFolder to a new folder",
  );
}

function show<T>(value: T | undefined, format: (value: T) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}
