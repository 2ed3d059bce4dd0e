/** The text of a package as npm installs it: its manifest and its declarations. */
import { NODE_RANGE } from "../packages/cli/src/node-version.js";

export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: { readonly ".": string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Entry points lead to JavaScript and its declarations; the rest is what npm and its users need. */
export function makeManifest(
  source: SourceManifest,
  types: Readonly<Record<string, string>>,
  files: "src" | "dist" = "src",
) {
  const { name, version, description, license, type, bin, exports, dependencies } = source;
  const entry = exports?.["."];
  const javaScript = entry?.replace(/\.ts$/, ".js");
  const declarations = entry?.replace(/\.[jt]s$/, ".d.ts");
  return {
    ...{ name, version, description, license, type },
    engines: { node: NODE_RANGE },
    ...(bin === undefined ? {} : { bin }),
    ...(entry === undefined
      ? {}
      : { types: declarations, exports: { ".": { types: declarations, default: javaScript } } }),
    files: [files],
    dependencies: Object.fromEntries(
      Object.entries({ ...dependencies, ...types }).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** The compiler rewrites the imports of JavaScript, and leaves those of declarations as they are. */
export function nameJavaScript(declaration: string): string {
  return declaration.replace(/(\b(?:from|import)\s*\(?\s*"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"');
}

/** Node's types are global: an application has them once, in its own version. */
const NODE_TYPES = ">=24";

/** Packages of types for the modules that declarations name and that have no types of their own. */
export function listTypePackages(
  declarations: readonly string[],
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const imported = /\b(?:from|import)\s*\(?\s*"([^".][^"/]*)/g;
  const modules = declarations.flatMap((text) => [...text.matchAll(imported)].map(([, name = ""]) => name));
  const names = new Set(modules.map((name) => `@types/${name.replace(/^node:.*$/, "node")}`));
  const needed = [...names].sort().filter((name) => known[name] !== undefined);
  return Object.fromEntries(
    needed.map((name) => [name, name === "@types/node" ? NODE_TYPES : (known[name] ?? "")]),
  );
}
