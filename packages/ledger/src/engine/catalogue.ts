/** The packages a ledger knows: it finds templates and interfaces by package id or by package name. */
import { parseTemplateRef } from "../values/template-id.ts";
import type { AnyInterfaceDeclaration, DamlPackage } from "./declaration.ts";
import type { Template } from "./template.ts";

export interface LoadedPackage {
  readonly package: DamlPackage;
  readonly templates: readonly Template[];
  readonly interfaces: readonly AnyInterfaceDeclaration[];
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
}

export function createCatalogue(packages: readonly LoadedPackage[]): Catalogue {
  const known = new Map<string, Resolved>();
  const templates = new Map<string, Template>();
  for (const loaded of packages) {
    for (const template of loaded.templates) {
      templates.set(template.declaration.id, template);
      addTwice(known, template.declaration, { kind: "template", template });
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
  return { packages, resolve, findTemplate: (templateId) => templates.get(templateId) };
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
