import { expect, test } from "vitest";
import { NO_FIELDS, type ProposalFields, type ProposalKind, propose } from "./proposal.ts";
import { COIN_SETTINGS, DSO_SETTINGS, findSetting, type RuleSetting } from "./rule-settings.ts";
import { parseSetting, readSetting, withSetting } from "./rule-values.ts";
import { listChanges } from "./value-changes.ts";

const PARTY = `sv-4::1220${"ab".repeat(32)}`;
const coinConfig = {
  decentralizedSynchronizer: { fees: { extraTrafficPrice: "16.6700000000", minTopupAmount: "200000" } },
  transferConfig: { extraFeaturedAppRewardAmount: "1.0000000000", maxNumInputs: "100" },
  featuredAppActivityMarkerAmount: "1.0000000000",
  tickDuration: { microseconds: "600000000" },
  optDevelopmentFundManager: null,
};
const facts = {
  coinConfig,
  dsoConfig: { maxTextLength: "1024", voteCooldownTime: null },
  svs: [{ party: PARTY, name: "sv-4", joinedRound: "0", weight: "10000" }],
};
const proposed = (kind: ProposalKind, fields: Partial<ProposalFields>) =>
  propose(kind, { ...NO_FIELDS, ...fields }, facts);

test("new values of the coin's rules are put beside the present ones, with each change", () => {
  const { action, changes } = proposed("CRARC_SetConfig", { edits: { trafficPrice: "20", tick: "5m" } });
  const newConfig = {
    ...coinConfig,
    decentralizedSynchronizer: { fees: { extraTrafficPrice: "20", minTopupAmount: "200000" } },
    tickDuration: { microseconds: "300000000" },
  };
  expect(action).toEqual({
    tag: "ARC_AmuletRules",
    value: {
      amuletRulesAction: { tag: "CRARC_SetConfig", value: { newConfig, baseConfig: coinConfig } },
    },
  });
  expect(changes).toEqual([
    {
      path: "decentralizedSynchronizer.fees.extraTrafficPrice",
      ...{ before: "16.6700000000", after: "20" },
    },
    { path: "tickDuration", before: { microseconds: "600000000" }, after: { microseconds: "300000000" } },
  ]);
});

test("an amount that the ledger keeps twice changes in both places", () => {
  const { changes } = proposed("CRARC_SetConfig", { edits: { markerAmount: "2.5" } });
  expect(changes.map(({ path, after }) => [findSetting(path), after])).toEqual([
    ["markerAmount", "2.5"],
    ["markerAmount", "2.5"],
  ]);
});

test("a value that is wrong, missing or as before makes no action", () => {
  for (const edits of [
    {},
    { trafficPrice: "16.67" },
    { maxInputs: "0" },
    { trafficPrice: "20", tick: "soon" },
  ])
    expect(proposed("CRARC_SetConfig", { edits }).action).toBeNull();
  for (const fields of [{ sv: PARTY }, { sv: PARTY, weight: "10000" }, { sv: PARTY, weight: "-1" }])
    expect(proposed("SRARC_UpdateSvRewardWeight", fields).action).toBeNull();
  expect(proposed("SRARC_OffboardSv", { sv: "sv-9::1220" }).action).toBeNull();
  expect(proposed("SRARC_GrantFeaturedAppRight", { provider: "somebody" }).action).toBeNull();
  expect(proposed("SRARC_RevokeFeaturedAppRight", { right: "here" }).action).toBeNull();
  for (const json of ["", "{", "[]", "null", "1"]) expect(proposed("other", { json }).action).toBeNull();
});

test.each<[ProposalKind, Partial<ProposalFields>, object]>([
  ["SRARC_OffboardSv", { sv: PARTY }, { sv: PARTY }],
  ["SRARC_UpdateSvRewardWeight", { sv: PARTY, weight: "0500" }, { svParty: PARTY, newRewardWeight: "500" }],
  ["SRARC_GrantFeaturedAppRight", { provider: ` ${PARTY} ` }, { provider: PARTY }],
  ["SRARC_RevokeFeaturedAppRight", { right: `00${"ab".repeat(40)}` }, { rightCid: `00${"ab".repeat(40)}` }],
  [
    "SRARC_SetConfig",
    { edits: { voteCooldown: "2m" } },
    {
      newConfig: { ...facts.dsoConfig, voteCooldownTime: { microseconds: "120000000" } },
      baseConfig: facts.dsoConfig,
    },
  ],
])("%s is an action of the DSO's rules", (tag, fields, value) => {
  expect(proposed(tag, fields).action).toEqual({
    tag: "ARC_DsoRules",
    value: { dsoAction: { tag, value } },
  });
});

test.each<[RuleSetting, string, unknown]>([
  [COIN_SETTINGS.trafficPrice, "0.00", "0"],
  [COIN_SETTINGS.trafficPrice, "1.123456789012", undefined],
  [COIN_SETTINGS.maxInputs, "12", "12"],
  [COIN_SETTINGS.maxInputs, "1.5", undefined],
  [COIN_SETTINGS.maxInputs, "9223372036854775808", undefined],
  [COIN_SETTINGS.tick, "", undefined],
  [DSO_SETTINGS.voteCooldown, "", null],
  [COIN_SETTINGS.fundManager, PARTY, PARTY],
  [COIN_SETTINGS.fundManager, "somebody", undefined],
])("the value of %o typed as %j is %j", (setting, text, value) => {
  expect(parseSetting(text, setting)).toEqual(value);
});

test("a value is shown as it can be typed", () => {
  for (const [setting, text] of [
    [COIN_SETTINGS.trafficPrice, "16.67"],
    [COIN_SETTINGS.tick, "10m"],
    [COIN_SETTINGS.fundManager, ""],
  ] as const) {
    expect(readSetting(coinConfig, setting)).toBe(text);
    const value = parseSetting(text, setting);
    if (value === undefined) throw new Error(`${text} is refused`);
    expect(readSetting(withSetting(coinConfig, setting, value), setting)).toBe(text);
  }
});

test("changes are found by field; lists, lengths of time and missing fields are compared as a whole", () => {
  expect(
    listChanges({ a: { b: "1", c: ["x"] }, d: null }, { a: { b: "2", c: ["x", "y"] }, e: "new" }),
  ).toEqual([
    { path: "a.b", before: "1", after: "2" },
    { path: "a.c", before: ["x"], after: ["x", "y"] },
    { path: "e", before: null, after: "new" },
  ]);
});
