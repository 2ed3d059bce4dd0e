/** The packages whose templates the participant runs. They come with it: none can be uploaded or downloaded. */
import { z } from "zod";
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { booleanParameter } from "../wire/booleans.ts";
import { nothing } from "../wire/one-of.ts";
import { string } from "./proto.ts";

const uploading = {
  method: "POST",
  description: "Not offered: the packages come with the participant.",
  auth: "ledger:admin",
  query: z.object({ vetAllPackages: booleanParameter.default(true), synchronizerId: string }),
  errors: [400, 401, 403, 501],
} as const;

export const ledgerPackages = defineEndpoints({ tags: ["packages"] })({
  listPackages: {
    method: "GET",
    path: "/v2/packages",
    summary: "The ids of the packages that the participant knows",
    auth: "ledger:public",
    success: json(z.object({ packageIds: z.array(z.string()) }).meta({ id: "ListPackagesResponse" })),
    errors: [401, 403],
  },
  getPackageStatus: {
    method: "GET",
    path: "/v2/packages/{package-id}/status",
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
  getPackage: {
    method: "GET",
    path: "/v2/packages/{package-id}",
    summary: "The archive of a package",
    description: "Not offered: the participant's packages have no Daml archive.",
    auth: "ledger:public",
    params: z.object({ "package-id": z.string() }),
    success: empty,
    errors: [401, 403, 404, 501],
  },
  uploadPackage: {
    ...uploading,
    path: "/v2/packages",
    summary: "Uploads a DAR",
    success: json(nothing),
  },
  uploadDar: { ...uploading, path: "/v2/dars", summary: "Uploads a DAR", success: json(nothing) },
  validateDar: {
    ...uploading,
    path: "/v2/dars/validate",
    summary: "Whether a DAR could be uploaded",
    query: z.object({ synchronizerId: string }),
    success: empty,
  },
});
