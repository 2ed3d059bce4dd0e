/**
 * The packages a ledger knows: it finds templates and interfaces by package id or by package name. A package may be there
 * in several versions, the oldest first. A later version has only the templates that it adds or changes. The package name
 * means the latest version of each template.
 */
import type { Fields } from "../daml/record.ts";
import { parseTemplateRef } from "../values/template-id.ts";
import type { AnyInterfaceDeclaration, ChoiceDeclaration, DamlPackage } from "./declaration.ts";
import type { Template } from "./template.ts";

export interface LoadedPackage {
  readonly package: DamlPackage;
  readonly templates: readonly Template[];
  readonly interfaces: readonly AnyInterfaceDeclaration[];
  /** The protocol version that activates the package; the first one if omitted. */
  readonly since?: bigint;
}

export type Resolved =
  | { readonly kind: "template"; readonly template: Template }
  | { readonly kind: "interface"; readonly interface: AnyInterfaceDeclaration }
  | { readonly kind: "unknown"; readonly reason: "malformed" | "package" | "package-name" | "entity" };

export interface Catalogue {
  readonly packages: readonly LoadedPackage[];
  /** Either form of a template's or interface's id. */
  readonly resolve: (ref: string) => Resolved;
  readonly findTemplate: (templateId: string) => Template | undefined;
  /**
   * The ids of the template that a reference means: one by package id; by package name those of all versions, the oldest
   * first. None for a reference to no template.
   */
  readonly listVersions: (ref: string) => readonly string[];
  /** The catalogue of the packages that are active in a protocol version. */
  readonly at: (protocolVersion: bigint) => Catalogue;
}

export function createCatalogue(packages: readonly LoadedPackage[]): Catalogue {
  const byVersion = new Map<bigint, Catalogue>();
  const all = catalogueOf(packages, (version) => {
    const active = packages.filter(({ since }) => since === undefined || since <= version);
    if (active.length === packages.length) return all;
    const known = byVersion.get(version) ?? catalogueOf(active, all.at);
    byVersion.set(version, known);
    return known;
  });
  return all;
}

function catalogueOf(packages: readonly LoadedPackage[], at: Catalogue["at"]): Catalogue {
  const known = new Map<string, Resolved>();
  const templates = new Map<string, Template>();
  const versions = new Map<string, string[]>();
  for (const loaded of packages) {
    for (const template of loaded.templates) {
      const { id, nameRef } = template.declaration;
      const before = known.get(nameRef);
      if (before !== undefined) checkUpgrade(before, template);
      templates.set(id, template);
      versions.set(id, [id]);
      versions.set(nameRef, [...(versions.get(nameRef) ?? []), id]);
      known.set(id, { kind: "template", template });
      known.set(nameRef, { kind: "template", template });
    }
    for (const declaration of loaded.interfaces) {
      addTwice(known, declaration, { kind: "interface", interface: declaration });
    }
  }
  const ids = new Set(packages.map(({ package: pkg }) => pkg.id));
  const names = new Set(packages.map(({ package: pkg }) => pkg.name));

  const resolve = (ref: string): Resolved => {
    const found = known.get(ref);
    if (found !== undefined) return found;
    const parsedRef = parseTemplateRef(ref);
    if (!parsedRef.ok) return { kind: "unknown", reason: "malformed" };
    const { by, value } = parsedRef.value.package;
    if (by === "name" && !names.has(value)) return { kind: "unknown", reason: "package-name" };
    if (by === "id" && !ids.has(value)) return { kind: "unknown", reason: "package" };
    return { kind: "unknown", reason: "entity" };
  };
  return {
    packages,
    resolve,
    findTemplate: (templateId) => templates.get(templateId),
    listVersions: (ref) => versions.get(ref) ?? [],
    at,
  };
}

/**
 * A later version of a template keeps its fields, its choices' shapes and its interfaces, and may add choices: then a contract
 * of one version can be used as one of another.
 */
function checkUpgrade(before: Resolved, { declaration, interfaces }: Template): void {
  const { nameRef, id } = declaration;
  if (before.kind !== "template" || before.template.declaration.id === id) {
    throw new Error(`${nameRef} is in the catalogue twice`);
  }
  const { declaration: earlier, interfaces: implemented } = before.template;
  const keepsChoices = Object.entries<ChoiceDeclaration>(earlier.choices).every(([name, choice]) => {
    const later: ChoiceDeclaration | undefined = declaration.choices[name];
    return (
      later !== undefined &&
      later.consuming === choice.consuming &&
      later.result === choice.result &&
      hasSameFields(later.argument.fields, choice.argument.fields)
    );
  });
  const keepsInterfaces =
    interfaces.size === implemented.size && [...implemented.keys()].every((each) => interfaces.has(each));
  if (hasSameFields(earlier.record.fields, declaration.record.fields) && keepsChoices && keepsInterfaces)
    return;
  throw new Error(
    `${id} is no upgrade of ${earlier.id}: a later version keeps fields, choices and interfaces, and may add choices`,
  );
}

function hasSameFields(a: Fields, b: Fields): boolean {
  const names = Object.keys(a);
  return names.join() === Object.keys(b).join() && names.every((name) => a[name] === b[name]);
}

function addTwice(
  known: Map<string, Resolved>,
  place: { id: string; nameRef: string },
  what: Resolved,
): void {
  if (known.has(place.id) || known.has(place.nameRef)) {
    throw new Error(`${place.nameRef} is in the catalogue twice`);
  }
  known.set(place.id, what);
  known.set(place.nameRef, what);
}
