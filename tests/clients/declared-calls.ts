/** The calls that published clients have, as their packages declare them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = join(import.meta.dirname, "../../node_modules/@canton-network");

function read(file: string): string {
  return readFileSync(join(PACKAGES, file), "utf8");
}

/** `get /v2/version`, of the paths in a file that was generated from an API's document. */
export function declaredPaths(file: string, methods: readonly string[]): readonly string[] {
  const text = read(file);
  const found: string[] = [];
  let path = "";
  for (const line of text.slice(0, text.indexOf("export type webhooks")).split("\n")) {
    path = /^ {4}'(\/[^']*)': \{$/.exec(line)?.[1] ?? path;
    const [, method = ""] = /^ {8}(\w+): operations\[/.exec(line) ?? [];
    if (methods.includes(method)) found.push(`${method} ${path}`);
  }
  return found;
}

/** The public methods of a class. */
export function declaredMethods(file: string, name: string): readonly string[] {
  const [, body = ""] = new RegExp(`declare class ${name} \\{([\\s\\S]*?)\\n\\}`).exec(read(file)) ?? [];
  const methods = [...body.matchAll(/^ {4}(?:static )?(\w+)[(<]/gm)].map(([, method = ""]) => method);
  return methods.filter((method) => method !== "constructor");
}

/** The names of private members of each class of a package. */
function privateMembers(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const files = globSync("**/*.d.ts", { cwd: join(PACKAGES, folder) });
  const classes = files.flatMap((file) => [
    ...read(`${folder}/${file}`).matchAll(/declare (?:abstract )?class (\w+)[^{]*\{([\s\S]*?)\n\}/g),
  ]);
  return new Map(
    classes.map(([, name = "", body = ""]) => {
      const members = body.matchAll(/^ {4}(?:private|protected) (?:readonly )?(\w+)/gm);
      return [name, new Set([...members].map(([, member = ""]) => member))];
    }),
  );
}

/** `token.transfer.create`: the functions of an object and of the objects in it, without private members. */
export function callsOf(root: object, names: readonly string[], folder: string): readonly string[] {
  const hidden = privateMembers(folder);
  const visit = (value: unknown, path: string): readonly string[] => {
    if (typeof value === "function" || Array.isArray(value)) return [path];
    // The reader of contracts is a class of another package, which `ledger.acs` uses.
    if (typeof value !== "object" || value === null || path === "ledger.acsReader") return [];
    const members = new Set(Object.keys(value));
    for (let proto = Object.getPrototypeOf(value); proto !== Object.prototype; ) {
      for (const member of Object.getOwnPropertyNames(proto)) members.add(member);
      proto = Object.getPrototypeOf(proto);
    }
    const isShown = (member: string) =>
      member !== "constructor" && hidden.get(value.constructor.name)?.has(member) !== true;
    return [...members]
      .filter(isShown)
      .flatMap((member) => visit((value as Record<string, unknown>)[member], `${path}.${member}`));
  };
  return names.flatMap((name) => visit((root as Record<string, unknown>)[name], name));
}
