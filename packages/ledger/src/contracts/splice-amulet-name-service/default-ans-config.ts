/** The default price and lifetime of a name; a network's founders may choose others. */
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import { relTime } from "../rel-time.ts";
import type { AnsRulesConfig } from "./declarations/ans.ts";

export const defaultAnsConfig: AnsRulesConfig = {
  renewalDuration: relTime(30n * DAY),
  entryLifetime: relTime(90n * DAY),
  entryFee: decimal("1.0"),
  descriptionPrefix: "ANS entry: ",
};
