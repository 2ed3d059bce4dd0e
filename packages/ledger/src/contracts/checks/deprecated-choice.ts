/** Choices that later versions replaced: still declared, so that history reads, but they always abort. */
import { abort } from "../../engine/failure.ts";
import type { ChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";

export function deprecatedChoice<Payload>(
  name: string,
  since: string,
  controllers: (contract: Payload) => readonly PartyId[],
): ChoiceRules<Payload, unknown, never> {
  return { controllers, exercise: () => abort(`The choice ${name} is deprecated since ${since}`) };
}
