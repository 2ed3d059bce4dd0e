/** Identity providers, other than the default one, whose tokens the participant believes. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { nothing } from "../wire/one-of.ts";
import { orNull } from "../wire/or-null.ts";
import { boolean, FieldMask, string } from "./proto.ts";

export const IdentityProviderConfig = z
  .object({
    identityProviderId: string,
    /** The tokens of a deactivated one are refused. */
    isDeactivated: boolean,
    /** The claim `iss` of its tokens. No two have the same. */
    issuer: string,
    /** The address of its keys. */
    jwksUrl: string,
    /** The claim `aud` must contain it; empty means the audience of the participant itself. */
    audience: string,
  })
  .meta({ id: "IdentityProviderConfig" });
export type IdentityProviderConfig = z.output<typeof IdentityProviderConfig>;

const params = z.object({ "idp-id": z.string() });
const one = json(z.object({ identityProviderConfig: IdentityProviderConfig }));

export const ledgerIdentityProviders = defineEndpoints({
  tags: ["identity-providers"],
  auth: "ledger:admin",
})({
  listIdentityProviderConfigs: {
    method: "GET",
    path: "/v2/idps",
    summary: "Every identity provider but the default one",
    success: json(z.object({ identityProviderConfigs: z.array(IdentityProviderConfig) })),
    errors: [401, 403],
  },
  createIdentityProviderConfig: {
    method: "POST",
    path: "/v2/idps",
    summary: "Makes an identity provider known",
    body: z
      .object({ identityProviderConfig: orNull(IdentityProviderConfig) })
      .meta({ id: "CreateIdentityProviderConfigRequest", required: ["identityProviderConfig"] }),
    success: one,
    errors: [400, 401, 403, 409],
  },
  getIdentityProviderConfig: {
    method: "GET",
    path: "/v2/idps/{idp-id}",
    summary: "One identity provider",
    params,
    success: one,
    errors: [400, 401, 403, 404],
  },
  updateIdentityProviderConfig: {
    method: "PATCH",
    path: "/v2/idps/{idp-id}",
    summary: "Changes an identity provider, as the update mask selects",
    params,
    body: z
      .object({ identityProviderConfig: orNull(IdentityProviderConfig), updateMask: orNull(FieldMask) })
      .meta({
        id: "UpdateIdentityProviderConfigRequest",
        required: ["identityProviderConfig", "updateMask"],
      }),
    success: one,
    errors: [400, 401, 403, 404, 409],
  },
  deleteIdentityProviderConfig: {
    method: "DELETE",
    path: "/v2/idps/{idp-id}",
    summary: "Forgets an identity provider; its users stay, and cannot call any more",
    params,
    success: json(nothing),
    errors: [400, 401, 403, 404],
  },
});
