/** What an SV's operator sees of the network. */
import { defineEndpoints, empty, json } from "../endpoint.ts";
import { DsoInfo } from "../scan/network.ts";

export const svOperator = defineEndpoints({
  isAuthorized: {
    method: "GET",
    path: "/v0/admin/authorization",
    tags: ["operator"],
    summary: "Whether the caller operates the SV",
    auth: "sv-operator",
    success: empty,
    errors: [401, 403, 503],
  },
  getDsoInfo: {
    method: "GET",
    path: "/v0/dso",
    tags: ["operator"],
    summary: "The DSO: its rules, its SVs, its latest round",
    auth: "none",
    success: json(DsoInfo),
    errors: [500, 503],
  },
});
