/** The action that an operator puts to the vote, made of the fields of a form, with the changes that it would bring. */
import { isPartyId } from "../../../words/party-id.ts";
import type { SvOfDso } from "../dso.ts";
import { type SettingName, settingOf } from "./rule-settings.ts";
import { parseSetting, readSetting, withSetting } from "./rule-values.ts";
import { listChanges, type ValueChange } from "./value-changes.ts";

export const PROPOSAL_KINDS = [
  "CRARC_SetConfig",
  "SRARC_SetConfig",
  "SRARC_UpdateSvRewardWeight",
  "SRARC_OffboardSv",
  "SRARC_GrantFeaturedAppRight",
  "SRARC_RevokeFeaturedAppRight",
  "other",
] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** The texts of the form. */
export interface ProposalFields {
  /** New values of rules, by setting. */
  readonly edits: Readonly<Partial<Record<SettingName, string>>>;
  /** The party of an SV. */
  readonly sv: string;
  readonly weight: string;
  readonly provider: string;
  /** The contract of a featured application's right. */
  readonly right: string;
  readonly json: string;
}

export const NO_FIELDS: ProposalFields = { edits: {}, sv: "", weight: "", provider: "", right: "", json: "" };

/** The present rules. */
export interface ProposalFacts {
  readonly coinConfig: unknown;
  readonly dsoConfig: unknown;
  readonly svs: readonly SvOfDso[];
}

type Fields = Readonly<Record<string, unknown>>;
export type ProposedAction = Record<string, unknown>;

export interface Proposal {
  /** As the ledger's JSON has it; null if the fields are not complete. */
  readonly action: ProposedAction | null;
  readonly changes: readonly ValueChange[];
}

const NOTHING: Proposal = { action: null, changes: [] };
/** A contract's id is hex. */
const CONTRACT_ID = /^00[0-9a-f]{64,}$/;

export function propose(kind: ProposalKind, fields: ProposalFields, facts: ProposalFacts): Proposal {
  switch (kind) {
    case "CRARC_SetConfig":
      return proposeRules(fields, facts.coinConfig, (value) => ({
        ...{ tag: "ARC_AmuletRules", value: { amuletRulesAction: { tag: kind, value } } },
      }));
    case "SRARC_SetConfig":
      return proposeRules(fields, facts.dsoConfig, (value) => dsoAction(kind, value));
    case "SRARC_UpdateSvRewardWeight":
      return proposeWeight(fields, facts.svs);
    case "SRARC_OffboardSv": {
      const sv = facts.svs.find(({ party }) => party === fields.sv);
      return sv === undefined ? NOTHING : { action: dsoAction(kind, { sv: sv.party }), changes: [] };
    }
    case "SRARC_GrantFeaturedAppRight": {
      const provider = fields.provider.trim();
      if (!isPartyId(provider)) return NOTHING;
      return { action: dsoAction(kind, { provider }), changes: [] };
    }
    case "SRARC_RevokeFeaturedAppRight": {
      const rightCid = fields.right.trim();
      return CONTRACT_ID.test(rightCid) ? { action: dsoAction(kind, { rightCid }), changes: [] } : NOTHING;
    }
    case "other":
      return { action: parseObject(fields.json), changes: [] };
  }
}

function proposeRules(
  { edits }: ProposalFields,
  baseConfig: unknown,
  actionOf: (argument: Fields) => ProposedAction,
): Proposal {
  let newConfig = baseConfig;
  let isSound = true;
  for (const [name, text] of Object.entries(edits) as [SettingName, string][]) {
    const setting = settingOf(name);
    // A value that was typed back is no change, whatever digits the ledger keeps of it.
    if (text.trim() === readSetting(baseConfig, setting)) continue;
    const value = parseSetting(text, setting);
    if (value === undefined) isSound = false;
    else newConfig = withSetting(newConfig, setting, value);
  }
  const changes = listChanges(baseConfig, newConfig);
  const isReady = isSound && changes.length > 0;
  return { action: isReady ? actionOf({ newConfig, baseConfig }) : null, changes };
}

function proposeWeight({ sv, weight }: ProposalFields, svs: readonly SvOfDso[]): Proposal {
  const member = svs.find(({ party }) => party === sv);
  const given = parseSetting(weight, { kind: "count", paths: ["svRewardWeight"], allowsZero: true });
  if (member === undefined || typeof given !== "string" || given === member.weight) return NOTHING;
  const argument = { svParty: member.party, newRewardWeight: given };
  return {
    action: dsoAction("SRARC_UpdateSvRewardWeight", argument),
    changes: [{ path: "svRewardWeight", before: member.weight, after: given }],
  };
}

function dsoAction(tag: ProposalKind, value: Fields): ProposedAction {
  return { tag: "ARC_DsoRules", value: { dsoAction: { tag, value } } };
}

function parseObject(text: string): ProposedAction | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as ProposedAction) : null;
  } catch {
    return null;
  }
}
