/** Vetted packages: a participant vets every package that comes with it, from the beginning on. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32 } from "../wire/numbers.ts";
import { nothing, oneOf, value } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, string, strings } from "./proto.ts";

export const MAX_VETTED_PACKAGES_PAGE_SIZE = 100;

const VettedPackagesRef = z.object({ packageId: string, packageName: string, packageVersion: string });
export type VettedPackagesRef = z.output<typeof VettedPackagesRef>;

export const VettedPackages = z
  .object({
    packages: z.array(
      z
        .object({
          packageId: z.string(),
          validFromInclusive: orNull(z.string()),
          validUntilExclusive: orNull(z.string()),
          packageName: string,
          packageVersion: string,
        })
        .meta({ id: "VettedPackage" }),
    ),
    participantId: z.string(),
    synchronizerId: z.string(),
    topologySerial: int32,
  })
  .meta({ id: "VettedPackages" });
export type VettedPackages = z.output<typeof VettedPackages>;

const ListVettedPackages = z
  .object({
    packageMetadataFilter: orNull(z.object({ packageIds: strings, packageNamePrefixes: strings })),
    topologyStateFilter: orNull(z.object({ participantIds: strings, synchronizerIds: strings })),
    pageToken: string,
    pageSize: int32.default(0),
  })
  .meta({ id: "ListVettedPackagesRequest" });
export type ListVettedPackages = z.output<typeof ListVettedPackages>;

const UpdateVettedPackages = z
  .object({
    changes: z
      .array(
        z.object({
          operation: oneOf({
            Vet: value(
              z.object({
                packages: z.array(VettedPackagesRef).default([]),
                newValidFromInclusive: orNull(z.string()),
                newValidUntilExclusive: orNull(z.string()),
              }),
            ),
            Unvet: value(z.object({ packages: z.array(VettedPackagesRef).default([]) })),
            Empty: nothing,
          }).default({ Empty: {} }),
        }),
      )
      .default([]),
    dryRun: boolean,
    synchronizerId: string,
    expectedTopologySerial: orNull(
      z.object({
        serial: oneOf({ Prior: value(int32), NoPrior: nothing, Empty: nothing }).default({ Empty: {} }),
      }),
    ),
    updateVettedPackagesForceFlags: z
      .array(
        z.enum([
          "UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED",
          "UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES",
          "UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES",
        ]),
      )
      .default([]),
  })
  .meta({ id: "UpdateVettedPackagesRequest", required: ["changes"] });
export type UpdateVettedPackages = z.output<typeof UpdateVettedPackages>;

const listed = json(
  z
    .object({ vettedPackages: z.array(VettedPackages).default([]), nextPageToken: string })
    .meta({ id: "ListVettedPackagesResponse" }),
);
const updated = json(
  z
    .object({ pastVettedPackages: orNull(VettedPackages), newVettedPackages: VettedPackages })
    .meta({ id: "UpdateVettedPackagesResponse" }),
);

const listErrors = [400, 401, 403] as const;
const updateErrors = [400, 401, 403, 404, 501] as const;

export const ledgerVetting = defineEndpoints({ tags: ["packages"] })({
  listVettedPackages: {
    method: "POST",
    path: "/v2/package-vetting/list",
    summary: "The packages that participants have vetted",
    auth: "ledger:public",
    body: ListVettedPackages,
    success: listed,
    errors: listErrors,
  },
  listVettedPackagesByGet: {
    method: "GET",
    path: "/v2/package-vetting",
    summary: "The same, with the request as the body of a GET, or none",
    deprecated: true,
    auth: "ledger:public",
    body: ListVettedPackages,
    bodyMayBeAbsent: true,
    success: listed,
    errors: listErrors,
  },
  updateVettedPackages: {
    method: "POST",
    path: "/v2/package-vetting/update",
    summary: "Vets packages. All there are stay vetted: to end or limit that is not offered",
    auth: "ledger:admin",
    body: UpdateVettedPackages,
    success: updated,
    errors: updateErrors,
  },
  updateVettedPackagesByPost: {
    method: "POST",
    path: "/v2/package-vetting",
    summary: "The same, at its older path",
    deprecated: true,
    auth: "ledger:admin",
    body: UpdateVettedPackages,
    success: updated,
    errors: updateErrors,
  },
});
