/** Splice.ExternalPartyAmuletRules: created at bootstrap; its token-standard choices build on it. */
import { party } from "../../../daml/scalars.ts";
import { declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";

export const ExternalPartyAmuletRules = declareTemplate({
  package: amuletPackage,
  module: "Splice.ExternalPartyAmuletRules",
  entity: "ExternalPartyAmuletRules",
  fields: { dso: party },
  choices: {},
});
