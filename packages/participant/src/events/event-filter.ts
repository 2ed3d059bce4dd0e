/**
 * The filter of a reader, checked and resolved: templates and extras for each party, or for any. Filters name packages by
 * their names; these are resolved here once, before anything is looked up.
 */
import type { EventFormat, Filters } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import { failWith, invalidArgument, invalidField, missingField, needParty } from "../requests/identifiers.ts";

export interface EventExtras {
  readonly blob: boolean;
  /** Interfaces whose views are asked for, by package id. */
  readonly views: ReadonlySet<string>;
}

interface PartyFilter {
  /** Null without a wildcard. */
  readonly wildcard: { readonly blob: boolean } | null;
  readonly templates: ReadonlyMap<string, EventExtras>;
}

export interface EventFilter {
  /** The parties that the filter names; null if it asks for any party's events. */
  readonly parties: ReadonlySet<string> | null;
  /** Templates that can match for a party, or for any; null for every template. */
  readonly templatesFor: (party: string | null) => readonly string[] | null;
  /** Parties with a filter of their own. */
  readonly named: readonly string[];
  readonly hasAnyParty: boolean;
  /** The given parties for which the reader reads. */
  readonly witnesses: (parties: readonly string[]) => readonly string[];
  /** The extras to show with an event of this template to these witnesses; undefined if the event was not asked for. */
  readonly match: (templateId: string, witnesses: readonly string[]) => EventExtras | undefined;
}

type PartyFilters = Pick<EventFormat, "filtersByParty" | "filtersForAnyParty">;

export function readEventFilter(
  format: PartyFilters,
  catalogue: Catalogue,
  { withAnyParty = true } = {},
): EventFilter {
  const byParty = new Map<string, PartyFilter>();
  for (const [party, filters] of Object.entries(format.filtersByParty)) {
    byParty.set(needParty(party), readFilters(filters, catalogue));
  }
  const any =
    format.filtersForAnyParty === null || !withAnyParty
      ? null
      : readFilters(format.filtersForAnyParty, catalogue);
  if (byParty.size === 0 && any === null) {
    throw invalidArgument("filtersByParty and filtersForAnyParty cannot be empty simultaneously");
  }
  return {
    parties: any === null ? new Set(byParty.keys()) : null,
    named: [...byParty.keys()],
    hasAnyParty: any !== null,
    templatesFor: (party) => {
      const filter = party === null ? any : byParty.get(party);
      if (filter === null || filter === undefined) return [];
      return filter.wildcard === null ? [...filter.templates.keys()] : null;
    },
    witnesses: (parties) => (any === null ? parties.filter((party) => byParty.has(party)) : parties),
    match: (templateId, witnesses) => {
      const filters = witnesses.flatMap((party) => byParty.get(party) ?? []);
      return matchFilters(any !== null && witnesses.length > 0 ? [...filters, any] : filters, templateId);
    },
  };
}

/** All events that these parties see. */
export function readWildcardFilter(parties: readonly string[], catalogue: Catalogue): EventFilter {
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, { cumulative: [] }]));
  return readEventFilter({ filtersByParty, filtersForAnyParty: null }, catalogue);
}

function matchFilters(filters: readonly PartyFilter[], templateId: string): EventExtras | undefined {
  let matched = false;
  let blob = false;
  const views = new Set<string>();
  for (const { wildcard, templates } of filters) {
    const extras = templates.get(templateId);
    matched ||= wildcard !== null || extras !== undefined;
    blob ||= wildcard?.blob === true || extras?.blob === true;
    for (const view of extras?.views ?? []) views.add(view);
  }
  return matched ? { blob, views } : undefined;
}

function readFilters({ cumulative }: Filters, catalogue: Catalogue): PartyFilter {
  let hasWildcard = cumulative.every(({ identifierFilter }) => "Empty" in identifierFilter);
  let wildcardBlob = false;
  const templates = new Map<string, EventExtras>();
  const add = (templateId: string, extras: EventExtras) => {
    const known = templates.get(templateId);
    templates.set(templateId, {
      blob: extras.blob || known?.blob === true,
      views: new Set([...(known?.views ?? []), ...extras.views]),
    });
  };
  for (const { identifierFilter: filter } of cumulative) {
    if ("WildcardFilter" in filter) {
      const { includeCreatedEventBlob } = filter.WildcardFilter.value;
      hasWildcard = true;
      wildcardBlob ||= includeCreatedEventBlob;
    } else if ("TemplateFilter" in filter) {
      const { templateId, includeCreatedEventBlob: blob } = filter.TemplateFilter.value;
      for (const version of needVersions(templateId, catalogue)) add(version, { blob, views: new Set() });
    } else if ("InterfaceFilter" in filter) {
      const {
        interfaceId,
        includeInterfaceView,
        includeCreatedEventBlob: blob,
      } = filter.InterfaceFilter.value;
      const id = needInterface(interfaceId, catalogue);
      const views = new Set(includeInterfaceView ? [id] : []);
      for (const implementer of listImplementers(id, catalogue)) add(implementer, { blob, views });
    }
  }
  return { wildcard: hasWildcard ? { blob: wildcardBlob } : null, templates };
}

function listImplementers(interfaceId: string, { packages }: Catalogue): readonly string[] {
  return packages
    .flatMap(({ templates }) => templates)
    .filter(({ interfaces }) => interfaces.has(interfaceId))
    .map(({ declaration }) => declaration.id);
}

/** A package name means the template in every version of the package. */
function needVersions(ref: string, catalogue: Catalogue): readonly string[] {
  checkRef(ref, "template_id");
  const resolved = catalogue.resolve(ref);
  if (resolved.kind === "template") return catalogue.listVersions(ref);
  return refuseRef(ref, resolved, "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME");
}

function needInterface(ref: string, catalogue: Catalogue): string {
  checkRef(ref, "interface_id");
  const resolved = catalogue.resolve(ref);
  if (resolved.kind === "interface") return resolved.interface.id;
  return refuseRef(ref, resolved, "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME");
}

function checkRef(ref: string, field: string): void {
  if (ref === "") throw missingField(field);
  if (ref.startsWith("#")) return;
  const given = ref.split(":")[0] ?? "";
  throw invalidField(
    "packageId",
    `Received an identifier with package ID ${given.slice(0, 100)}, but expected a package name.`,
  );
}

function refuseRef(
  ref: string,
  resolved: ReturnType<Catalogue["resolve"]>,
  code:
    | "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME"
    | "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
): never {
  const given = ref.slice(0, 300);
  const reason = resolved.kind === "unknown" ? resolved.reason : "entity";
  if (reason === "malformed") failWith("INVALID_ARGUMENT", `The identifier ${given} is not valid`);
  if (reason === "package-name") {
    const name = (given.split(":")[0] ?? "").slice(1);
    return failWith("PACKAGE_NAMES_NOT_FOUND", `The following package names do not match: [${name}]`, {
      resources: [["PACKAGE_NAME", name]],
    });
  }
  return failWith(code, `Nothing in that package is called ${given}`, {
    resources: [["TEMPLATE_ID", given]],
  });
}
