/**
 * The name of a template or an interface: `<package>:<Module.Name>:<Entity>`, where the package is given
 * by its id or, behind `#`, by its name. Commands use either; events always show the package id.
 */
import { malformed, type Parsed, parsed } from "./parsed.ts";

export interface TemplateRef {
  readonly package: { readonly by: "id" | "name"; readonly value: string };
  readonly module: string;
  readonly entity: string;
}

const PACKAGE_ID = /^[A-Za-z0-9\-_ ]{1,64}$/;
const PACKAGE_NAME = /^[A-Za-z0-9\-_]{1,255}$/;
const DOTTED_NAME = /^[A-Za-z$_][A-Za-z0-9$_]*(\.[A-Za-z$_][A-Za-z0-9$_]*)*$/;
const MAX_NAME = 1000;
const ALLOWED = "it reads <package-id>:<Module.Name>:<Entity> or #<package-name>:<Module.Name>:<Entity>";

export function parseTemplateRef(given: string): Parsed<TemplateRef> {
  const [pkg = "", module = "", entity = "", ...rest] = given.split(":", 4);
  const byName = pkg.startsWith("#");
  const value = byName ? pkg.slice(1) : pkg;
  const valid =
    rest.length === 0 &&
    (byName ? PACKAGE_NAME : PACKAGE_ID).test(value) &&
    isDottedName(module) &&
    isDottedName(entity);
  if (!valid) return malformed("template or interface id", given, ALLOWED);
  return parsed({ package: { by: byName ? "name" : "id", value }, module, entity });
}

function isDottedName(name: string): boolean {
  return name.length <= MAX_NAME && DOTTED_NAME.test(name);
}
