/** Choices that later versions replaced: still declared, so that history reads, but they always abort. */
import { showText } from "../../daml/show.ts";
import { abort } from "../../engine/failure.ts";
import type { ChoiceRules } from "../../engine/template.ts";

/** Choices that a version of a package retired, each with its controllers. */
export function deprecatedChoices<C extends { readonly [choice: string]: Controllers }>(
  packageName: string,
  version: string,
  controllers: C,
): { readonly [K in keyof C]: { readonly controllers: C[K]; readonly exercise: () => never } } {
  const since = `${showText(packageName)}-${showText(version)}`;
  const rules = Object.entries(controllers).map(([choice, by]) => {
    const exercise = () => abort(`Choice ${showText(choice)} is no longer supported since ${since}`);
    return [choice, { controllers: by, exercise }];
  });
  return Object.fromEntries(rules);
}

// biome-ignore lint/suspicious/noExplicitAny: of any contract, with any argument.
type Controllers = ChoiceRules<any, any, never>["controllers"];
