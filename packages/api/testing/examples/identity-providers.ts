/** Examples of the operations on identity providers. */
import type { ledgerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";

const config = {
  identityProviderId: "idp-1:#/ .x",
  isDeactivated: false,
  issuer: "https://login.example.com/",
  jwksUrl: "https://login.example.com/keys",
  audience: "",
};
const byId = { params: { "idp-id": config.identityProviderId } };
const { audience, isDeactivated, ...needed } = config;

export const identityProviderExamples = {
  listIdentityProviderConfigs: {
    response: { identityProviderConfigs: [config] },
  },
  createIdentityProviderConfig: {
    request: { body: { identityProviderConfig: needed } },
    received: { body: { identityProviderConfig: config } },
    response: { identityProviderConfig: config },
  },
  getIdentityProviderConfig: {
    request: byId,
    response: { identityProviderConfig: config },
  },
  updateIdentityProviderConfig: {
    request: {
      ...byId,
      body: { identityProviderConfig: { ...config, isDeactivated: true }, updateMask: { paths: ["issuer"] } },
    },
    received: {
      body: {
        identityProviderConfig: { ...config, isDeactivated: true },
        updateMask: { paths: ["issuer"], unknownFields: { fields: {} } },
      },
    },
    response: { identityProviderConfig: config },
  },
  deleteIdentityProviderConfig: { request: byId, response: {} },
} satisfies Partial<Examples<typeof ledgerApi>>;
