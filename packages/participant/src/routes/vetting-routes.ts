/** Vetted packages: every package that the network knows, without time bounds. */
import {
  type ListVettedPackages,
  MAX_VETTED_PACKAGES_PAGE_SIZE,
  type UpdateVettedPackages,
  type VettedPackages,
  type VettedPackagesRef,
} from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import { readPageLimit } from "../reads/page-size.ts";
import { failWith, invalidArgument, missingField } from "../requests/identifiers.ts";
import { notOffered } from "../requests/not-offered.ts";
import { isSynchronizer, notConnectedTo } from "../requests/synchronizer-name.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

/** The vetting has never changed since the first one. */
const SERIAL = 1;

type Parts = Pick<LedgerApiParts, "participantId" | "synchronizerId"> & { readonly catalogue: Catalogue };

export function vettingRoutes(
  given: Pick<LedgerApiParts, "activePackages" | "participantId" | "synchronizerId">,
) {
  const withPackages = async (): Promise<Parts> => ({ ...given, catalogue: await given.activePackages() });
  const list = async ({ body }: { readonly body: ListVettedPackages }) =>
    listVetted(await withPackages(), body);
  const update = async ({ body }: { readonly body: UpdateVettedPackages }) =>
    updateVetted(await withPackages(), body);
  return {
    listVettedPackages: list,
    listVettedPackagesByGet: list,
    updateVettedPackages: update,
    updateVettedPackagesByPost: update,
  } satisfies Partial<LedgerHandlers>;
}

function listVetted(parts: Parts, request: ListVettedPackages) {
  const { pageSize, pageToken, packageMetadataFilter, topologyStateFilter } = request;
  readPageLimit(pageSize, MAX_VETTED_PACKAGES_PAGE_SIZE);
  // The list has one participant, so that there is never a second page.
  if (pageToken !== "") throw invalidArgument("Invalid page token");
  const all = vettedOf(parts);
  const { participantIds = [], synchronizerIds = [] } = topologyStateFilter ?? {};
  const isAsked =
    all.synchronizerId !== "" &&
    (participantIds.length === 0 || participantIds.includes(all.participantId)) &&
    (synchronizerIds.length === 0 || synchronizerIds.includes(all.synchronizerId));
  const { packageIds = [], packageNamePrefixes = [] } = packageMetadataFilter ?? {};
  const packages = all.packages.filter(
    ({ packageId, packageName }) =>
      (packageIds.length === 0 && packageNamePrefixes.length === 0) ||
      packageIds.includes(packageId) ||
      packageNamePrefixes.some((prefix) => packageName.startsWith(prefix)),
  );
  const vettedPackages = isAsked && packages.length > 0 ? [{ ...all, packages }] : [];
  return { vettedPackages, nextPageToken: "" };
}

function updateVetted(parts: Parts, request: UpdateVettedPackages) {
  const { changes, synchronizerId: given, expectedTopologySerial } = request;
  const all = vettedOf(parts);
  if (changes.length === 0) throw missingField("changes");
  if (!isSynchronizer(given, all.synchronizerId)) throw notConnectedTo([given], all.synchronizerId);
  const serial = expectedTopologySerial?.serial ?? { Empty: {} };
  if ("NoPrior" in serial || ("Prior" in serial && serial.Prior.value !== SERIAL)) {
    throw invalidArgument(`expected_topology_serial is not the present one, which is ${SERIAL}`);
  }
  for (const { operation } of changes) {
    if ("Empty" in operation) throw missingField("operation");
    if ("Unvet" in operation) {
      for (const ref of operation.Unvet.value.packages) needPackage(parts.catalogue, ref);
      throw notOffered(
        "to end the vetting of packages",
        "leave them vetted: nothing uses them unless you do",
      );
    }
    const { packages, newValidFromInclusive, newValidUntilExclusive } = operation.Vet.value;
    for (const ref of packages) needPackage(parts.catalogue, ref);
    if (newValidFromInclusive !== null || newValidUntilExclusive !== null) {
      throw notOffered("bounds in time for the vetting of packages", "vet them without bounds");
    }
  }
  // All packages are vetted already.
  return { pastVettedPackages: all, newVettedPackages: all };
}

function vettedOf({ catalogue, participantId, synchronizerId }: Parts): VettedPackages {
  const packages = catalogue.packages
    .map(({ package: { id, name, version } }) => ({
      packageId: id,
      validFromInclusive: null,
      validUntilExclusive: null,
      packageName: name,
      packageVersion: version,
    }))
    .sort((a, b) => (a.packageId < b.packageId ? -1 : 1));
  return { packages, participantId, synchronizerId: synchronizerId(), topologySerial: SERIAL };
}

/** Throws unless the reference selects exactly one package. */
function needPackage({ packages }: Catalogue, ref: VettedPackagesRef): void {
  const { packageId, packageName, packageVersion } = ref;
  const given = [packageId, packageName, packageVersion].map((text) => text.slice(0, 100)).join(" ");
  if (given.trim() === "") throw invalidArgument("a package reference names an id, or a name and a version");
  const matching = packages.filter(
    ({ package: { id, name, version } }) =>
      (packageId === "" || packageId === id) &&
      (packageName === "" || packageName === name) &&
      (packageVersion === "" || packageVersion === version),
  );
  if (matching.length === 0) {
    failWith("UNRESOLVED_VETTING_REFERENCE", `No package here is ${given.trim()}`);
  }
  if (matching.length > 1) {
    failWith("AMBIGUOUS_VETTING_REFERENCE", `${matching.length} packages here are ${given.trim()}`);
  }
}
