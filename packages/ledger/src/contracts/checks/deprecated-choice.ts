/** Choices that later versions replaced: still declared, so that history reads, but they always abort. */

import { showText } from "../../daml/show.ts";
import type { DamlPackage } from "../../engine/declaration.ts";
import { abort } from "../../engine/failure.ts";
import type { ChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";

export function deprecatedChoice<Payload, Argument = unknown>(
  choice: string,
  since: Pick<DamlPackage, "name" | "version">,
  controllers: (contract: Payload, argument: Argument) => readonly PartyId[],
): ChoiceRules<Payload, Argument, never> {
  const version = `${showText(since.name)}-${showText(since.version)}`;
  return {
    controllers,
    exercise: () => abort(`Choice ${showText(choice)} is no longer supported since ${version}`),
  };
}
