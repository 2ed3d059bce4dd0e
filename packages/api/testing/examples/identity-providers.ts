/** Examples of the operations on identity providers. */
import type { ledgerApi } from "../../src/index.ts";
import { type Examples, nothing } from "../example.ts";

const config = {
  identityProviderId: "idp-1:#/ .x",
  isDeactivated: false,
  issuer: "https://login.example.com/",
  jwksUrl: "https://login.example.com/keys",
  audience: "",
};
const byId = { params: { "idp-id": config.identityProviderId } };
const { audience, isDeactivated, ...needed } = config;

export const identityProviderExamples: Pick<
  Examples<typeof ledgerApi>,
  | "listIdentityProviderConfigs"
  | "createIdentityProviderConfig"
  | "getIdentityProviderConfig"
  | "updateIdentityProviderConfig"
  | "deleteIdentityProviderConfig"
> = {
  listIdentityProviderConfigs: {
    request: {},
    received: nothing,
    response: { identityProviderConfigs: [config] },
  },
  createIdentityProviderConfig: {
    request: { body: { identityProviderConfig: needed } },
    received: { ...nothing, body: { identityProviderConfig: config } },
    response: { identityProviderConfig: config },
  },
  getIdentityProviderConfig: {
    request: byId,
    received: { ...nothing, ...byId },
    response: { identityProviderConfig: config },
  },
  updateIdentityProviderConfig: {
    request: {
      ...byId,
      body: { identityProviderConfig: { ...config, isDeactivated: true }, updateMask: { paths: ["issuer"] } },
    },
    received: {
      ...nothing,
      ...byId,
      body: {
        identityProviderConfig: { ...config, isDeactivated: true },
        updateMask: { paths: ["issuer"], unknownFields: { fields: {} } },
      },
    },
    response: { identityProviderConfig: config },
  },
  deleteIdentityProviderConfig: { request: byId, received: { ...nothing, ...byId }, response: {} },
};
