/**
 * Changed sets of SVs: each SV of the set before attests one with its namespace key, until a quorum has, so that members can
 * check it. An SV that has left attests as well: with two SVs, nobody else could.
 */
import { SV_SETS } from "../../kinds/subject.ts";
import { defineAutomation } from "../dso-automation.ts";

export const attestSvSets = defineAutomation({
  name: "attest-sv-sets",
  subjects: ["sv-sets"],
  forFormerSvs: true,
  listPiles: () => [SV_SETS],
  moments: ({ now, svSets }) => (svSets.listUnattested().length > 0 ? [{ at: now, subject: SV_SETS }] : []),
  decide: ({ facts }) =>
    facts.svSets
      .listUnattested()
      .map((attests) => ({ key: `attest ${attests.serial}`, commands: [], attests, takes: "each" })),
});
