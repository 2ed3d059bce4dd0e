/** Coin whose holding fees have eaten it up is removed by any SV; the coin's own contract checks that it is. */
import type { TemplateRules } from "../../engine/template.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";
import { byMember } from "./members.ts";

type CoinChoices = Pick<
  TemplateRules<typeof DsoRules>["choices"],
  "DsoRules_Amulet_ExpireV2" | "DsoRules_LockedAmulet_ExpireAmuletV2"
>;

export const coinChoices: CoinChoices = {
  DsoRules_Amulet_ExpireV2: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(Amulet, cid, "Amulet_ExpireV2", choiceArg);
    return { expireSum };
  }),
  DsoRules_LockedAmulet_ExpireAmuletV2: byMember(({ update, argument: { cid, choiceArg } }) => {
    const { expireSum } = update.exercise(LockedAmulet, cid, "LockedAmulet_ExpireAmuletV2", choiceArg);
    return { expireSum };
  }),
};
