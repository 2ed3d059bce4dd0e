/** The rules for the names that applications show for the network, its coin and its name service. */
import type { InstanceNames } from "@callsign/api";
import { type SettingFinding, shown } from "./setting-finding.ts";

const NAME = { pattern: /^[a-zA-Z0-9\-_ ]+$/, allowed: "letters, digits, hyphens, _ and spaces" };
const ACRONYM = { pattern: /^[a-zA-Z0-9]+$/, allowed: "letters and digits" };
const RULES = {
  networkName: NAME,
  amuletName: NAME,
  nameServiceName: NAME,
  amuletNameAcronym: ACRONYM,
  nameServiceNameAcronym: ACRONYM,
  networkFaviconUrl: { pattern: /^https?:\/\/[^\s]+$/, allowed: "an http or https URL" },
} as const;

export function findInstanceNameProblems(names: InstanceNames | undefined): readonly SettingFinding[] {
  if (names === undefined) return [];
  return Object.entries(RULES).flatMap(([key, { pattern, allowed }]) => {
    const value = names[key as keyof InstanceNames];
    if (value === undefined || pattern.test(value)) return [];
    const problem = `${shown(value)} is not allowed`;
    return [{ key: `spliceInstanceNames.${key}`, value, problem, fix: `write ${allowed}` }];
  });
}
