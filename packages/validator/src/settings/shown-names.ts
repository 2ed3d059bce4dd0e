/** The names that applications show for the network, its coin and its name service, as an operator sets them. */
import { type SettingFinding, shown } from "./setting-finding.ts";

export interface ShownNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  /** The spelling of the ledger's acronym, such as `CNS`; another acronym than the ledger's is ignored. */
  readonly nameServiceNameAcronym?: string;
}

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

export function findShownNameProblems(names: ShownNames | undefined): readonly SettingFinding[] {
  if (names === undefined) return [];
  return Object.entries(RULES).flatMap(([key, { pattern, allowed }]) => {
    const value = names[key as keyof ShownNames];
    if (value === undefined || pattern.test(value)) return [];
    const problem = `${shown(value)} is not allowed`;
    return [{ key: `spliceInstanceNames.${key}`, value, problem, fix: `write ${allowed}` }];
  });
}
