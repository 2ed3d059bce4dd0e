/** Identity providers: list, create, get, update, delete. */
import type { IdentityProviderConfig } from "@callsign/api";
import { MAX_IDENTITY_PROVIDER_TEXT, MAX_IDENTITY_PROVIDERS } from "../limits/limits.ts";
import {
  failWith,
  invalidArgument,
  invalidField,
  isLedgerString,
  jsonLayer,
  missingField,
} from "../requests/identifiers.ts";
import { parseUpdateMask } from "../resources/update-mask.ts";
import type { IdentityProviderConflict } from "../store/identity-provider-store.ts";
import type { LedgerApiParts, LedgerHandlers } from "./route-parts.ts";

const FIELDS = ["identity_provider_id", "is_deactivated", "jwks_url", "issuer", "audience"];
/** Not every database stores them, and no issuer has them. */
const CONTROL_CHARACTER = /\p{Cc}/u;

export function identityProviderRoutes({ providers }: Pick<LedgerApiParts, "providers">) {
  return {
    listIdentityProviderConfigs: async () => ({ identityProviderConfigs: [...(await providers.list())] }),
    createIdentityProviderConfig: async ({ body }) => {
      const given = body.identityProviderConfig;
      if (given === null) throw missingField("identity_provider_config");
      const config = {
        ...given,
        identityProviderId: readId(given.identityProviderId),
        jwksUrl: readJwksUrl(given.jwksUrl),
        issuer: readIssuer(given.issuer),
        audience: readText("audience", given.audience),
      };
      const conflict = await providers.create(config);
      if (conflict !== null) refuseConflict(conflict, "creating", config);
      return { identityProviderConfig: config };
    },
    getIdentityProviderConfig: async ({ params }) => {
      const id = readId(params["idp-id"]);
      return { identityProviderConfig: (await providers.find(id)) ?? notFound("getting", id) };
    },
    updateIdentityProviderConfig: async ({ params, body }) => {
      const given = body.identityProviderConfig;
      if (given?.identityProviderId !== params["idp-id"]) {
        const inBody = given?.identityProviderId.slice(0, 255) ?? "(none)";
        const reason = `${params["idp-id"].slice(0, 255)} does not match identityProviderId in body ${inBody}`;
        throw jsonLayer(invalidArgument(reason));
      }
      const id = readId(given.identityProviderId);
      // An omitted address or issuer stays as it is, even if the mask names it.
      const jwksUrl = given.jwksUrl === "" ? null : readJwksUrl(given.jwksUrl);
      const issuer = given.issuer === "" ? null : readIssuer(given.issuer);
      if (body.updateMask === null) throw missingField("update_mask");
      const audience = readText("audience", given.audience);
      const read = parseUpdateMask(body.updateMask.paths, FIELDS);
      if (!read.ok) refuseUpdate(id, read.error);
      const has = read.value;
      const changed = await providers.update(id, (config) => ({
        ...config,
        ...(has("is_deactivated") ? { isDeactivated: given.isDeactivated } : {}),
        ...(has("jwks_url") && jwksUrl !== null ? { jwksUrl } : {}),
        ...(has("issuer") && issuer !== null ? { issuer } : {}),
        ...(has("audience") ? { audience } : {}),
      }));
      if (typeof changed === "string") refuseConflict(changed, "updating", given);
      return { identityProviderConfig: changed };
    },
    deleteIdentityProviderConfig: async ({ params }) => {
      const id = readId(params["idp-id"]);
      if (!(await providers.remove(id))) notFound("deleting", id);
      return {};
    },
  } satisfies Partial<LedgerHandlers>;
}

function readId(id: string): string {
  if (id === "") throw missingField("identity_provider_id");
  if (isLedgerString(id)) return id;
  const reason = `"${id.slice(0, 100)}" is longer than 255 characters or has others than letters, digits, ._:-#/ and space`;
  throw invalidField("identity_provider_id", reason);
}

function readIssuer(issuer: string): string {
  if (issuer === "") throw missingField("issuer");
  return readText("issuer", issuer);
}

function readText(field: string, text: string): string {
  if (text.length > MAX_IDENTITY_PROVIDER_TEXT)
    throw invalidField(field, `it is longer than ${MAX_IDENTITY_PROVIDER_TEXT} characters`);
  if (CONTROL_CHARACTER.test(text)) throw invalidField(field, "it has control characters");
  // Databases do not tell these apart.
  if (!text.isWellFormed()) throw invalidField(field, "it has surrogates without their other half");
  return text;
}

function readJwksUrl(text: string): string {
  if (text === "") throw missingField("jwks_url");
  const url = URL.parse(readText("jwks_url", text));
  if (url === null) throw invalidField("jwks_url", `malformed url: "${text.slice(0, 100)}"`);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw invalidField("jwks_url", `malformed url: "${text.slice(0, 100)}" is not an http or https address`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidField("jwks_url", "malformed url: a key set's address carries no user or password");
  }
  return text;
}

function refuseConflict(
  conflict: IdentityProviderConflict,
  doing: string,
  { identityProviderId: id, issuer }: IdentityProviderConfig,
): never {
  const failed = `${doing} identity provider config failed`;
  switch (conflict) {
    case "unknown":
      return notFound(doing, id);
    case "id-taken":
      return failWith(
        "IDP_CONFIG_ALREADY_EXISTS",
        `${failed}, as identity provider config "${id}" already exists`,
        named(id),
      );
    case "issuer-taken":
      return failWith(
        "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
        `${failed}, as identity provider config with issuer "${issuer.slice(0, 200)}" already exists`,
        named(issuer.slice(0, 200)),
      );
    case "too-many": {
      const cause = `${failed}. A maximum of ${MAX_IDENTITY_PROVIDERS} identity provider configs is allowed: delete one first`;
      return failWith("TOO_MANY_IDENTITY_PROVIDER_CONFIGS", cause);
    }
  }
}

function notFound(doing: string, id: string): never {
  const cause = `${doing} failed for unknown identity provider id="${id}"`;
  return failWith("IDP_CONFIG_NOT_FOUND", cause, named(id));
}

function refuseUpdate(id: string, reason: string): never {
  const cause = `Update operation for identity provider config '${id}' failed due to: ${reason}`;
  return failWith("INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST", cause, named(id));
}

function named(name: string) {
  return { resources: [["IDENTITY_PROVIDER_CONFIG", name]] } as const;
}
