import { expect, test } from "vitest";
import { ledgerJson } from "../../daml/json-dialect.ts";
import { AnsRulesConfig } from "./declarations/ans.ts";
import { defaultAnsConfig } from "./default-ans-config.ts";

test("a name costs one dollar for 90 days and can be renewed in the last 30", () => {
  expect(AnsRulesConfig.toJson(defaultAnsConfig, ledgerJson)).toEqual({
    renewalDuration: { microseconds: "2592000000000" },
    entryLifetime: { microseconds: "7776000000000" },
    entryFee: "1.0000000000",
    descriptionPrefix: "ANS entry: ",
  });
});
