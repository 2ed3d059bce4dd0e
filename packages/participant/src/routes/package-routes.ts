/** The packages of the catalogue. They have no archives, and others cannot be uploaded. */
import { failWith } from "../requests/identifiers.ts";
import { notOffered } from "../requests/not-offered.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

export function packageRoutes({ catalogue }: Pick<LedgerApiParts, "catalogue">) {
  const packageIds = catalogue.packages.map((loaded) => loaded.package.id).sort();
  const refuseUpload = (): never => {
    throw notOffered("the upload of packages", "use the packages that GET /v2/packages lists");
  };
  return {
    listPackages: () => ({ packageIds }),
    getPackageStatus: ({ params }) => ({
      packageStatus: packageIds.includes(params["package-id"])
        ? "PACKAGE_STATUS_REGISTERED"
        : "PACKAGE_STATUS_UNSPECIFIED",
    }),
    getPackage: ({ params }) => {
      const id = params["package-id"].slice(0, 100);
      if (packageIds.includes(id)) {
        throw notOffered(
          "the archives of packages, which are built in and have none",
          "take the archive of that id from a release of Splice",
        );
      }
      return failWith(
        "PACKAGE_NOT_FOUND",
        `Could not find package ${id}: GET /v2/packages lists those there are`,
        {
          resources: [["PACKAGE", id]],
        },
      );
    },
    uploadPackage: refuseUpload,
    uploadDar: refuseUpload,
    validateDar: refuseUpload,
  } satisfies Partial<LedgerHandlers>;
}
