/** The packages of the catalogue. */
import type { ledgerApi } from "@callsign/api";
import type { Catalogue } from "@callsign/ledger";
import type { Handlers } from "../../http/mount-api.ts";
import type { Caller } from "../access/caller.ts";

type Routes = Pick<Handlers<typeof ledgerApi.endpoints, Caller>, "listPackages" | "getPackageStatus">;

export function packageRoutes({ catalogue }: { readonly catalogue: Catalogue }): Routes {
  const packageIds = catalogue.packages.map((loaded) => loaded.package.id).sort();
  return {
    listPackages: () => ({ packageIds }),
    getPackageStatus: ({ params }) => ({
      packageStatus: packageIds.includes(params["package-id"])
        ? "PACKAGE_STATUS_REGISTERED"
        : "PACKAGE_STATUS_UNSPECIFIED",
    }),
  };
}
