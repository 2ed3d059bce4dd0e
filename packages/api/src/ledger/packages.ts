/** The packages whose templates the participant runs. They come with it: none can be uploaded. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";

export const ledgerPackages = defineEndpoints({
  listPackages: {
    method: "GET",
    path: "/v2/packages",
    tags: ["packages"],
    summary: "The ids of the packages that the participant knows",
    auth: "ledger:public",
    success: json(z.object({ packageIds: z.array(z.string()) }).meta({ id: "ListPackagesResponse" })),
    errors: [401, 403],
  },
  getPackageStatus: {
    method: "GET",
    path: "/v2/packages/{package-id}/status",
    tags: ["packages"],
    summary: "Whether the participant knows a package",
    auth: "ledger:public",
    params: z.object({ "package-id": z.string() }),
    success: json(
      z
        .object({ packageStatus: z.enum(["PACKAGE_STATUS_UNSPECIFIED", "PACKAGE_STATUS_REGISTERED"]) })
        .meta({ id: "GetPackageStatusResponse" }),
    ),
    errors: [401, 403],
  },
});
