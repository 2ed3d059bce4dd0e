/** The packages of the network. They have no archives, and others cannot be uploaded. */
import { failWith } from "../requests/identifiers.ts";
import { notOffered } from "../requests/not-offered.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

export function packageRoutes({ activePackages }: Pick<LedgerApiParts, "activePackages">) {
  const listIds = async () => (await activePackages()).packages.map((loaded) => loaded.package.id).sort();
  const refuseUpload = (): never => {
    throw notOffered("the upload of packages", "use the packages that GET /v2/packages lists");
  };
  return {
    listPackages: async () => ({ packageIds: await listIds() }),
    getPackageStatus: async ({ params }) => ({
      packageStatus: (await listIds()).includes(params["package-id"])
        ? "PACKAGE_STATUS_REGISTERED"
        : "PACKAGE_STATUS_UNSPECIFIED",
    }),
    getPackage: async ({ params }) => {
      const id = params["package-id"].slice(0, 100);
      if ((await listIds()).includes(id)) {
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
