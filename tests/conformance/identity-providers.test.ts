/** Identity provider configs, as the upstream suite IdentityProviderConfigServiceIT asserts them; and what it leaves out. */
import { beforeEach, describe, expect, test } from "vitest";
import type { IdentityProviderConfig } from "../../packages/api/src/index.ts";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);

/** Sixteen is all there may be. */
beforeEach(async () => {
  const { identityProviderConfigs } = await ledger.open.listIdentityProviderConfigs();
  for (const { identityProviderId } of identityProviderConfigs) {
    await ledger.open.deleteIdentityProviderConfig({ params: { "idp-id": identityProviderId } });
  }
});

function newConfig(given: Partial<IdentityProviderConfig> = {}): IdentityProviderConfig {
  return {
    identityProviderId: fresh("idp"),
    isDeactivated: false,
    issuer: fresh("issuer"),
    jwksUrl: "http://daml.com/jwks.json",
    audience: "",
    ...given,
  };
}

function create(given: Partial<IdentityProviderConfig> = {}) {
  return ledger.open.createIdentityProviderConfig({ body: { identityProviderConfig: newConfig(given) } });
}

async function created(given: Partial<IdentityProviderConfig> = {}): Promise<IdentityProviderConfig> {
  return (await create(given)).identityProviderConfig;
}

function update(config: IdentityProviderConfig, paths: string[] | null, id = config.identityProviderId) {
  return ledger.open.updateIdentityProviderConfig({
    params: { "idp-id": id },
    body: { identityProviderConfig: config, ...(paths === null ? {} : { updateMask: { paths } }) },
  });
}

const get = (id: string) => ledger.open.getIdentityProviderConfig({ params: { "idp-id": id } });
const remove = (id: string) => ledger.open.deleteIdentityProviderConfig({ params: { "idp-id": id } });

describe("CreateConfigInvalidArguments", () => {
  test.each([
    ["an empty id", { identityProviderId: "" }, "MISSING_FIELD", "identity_provider_id"],
    ["an id of other characters", { identityProviderId: "!@" }, "INVALID_FIELD", "identity_provider_id"],
    [
      "an id that is too long",
      { identityProviderId: "x".repeat(256) },
      "INVALID_FIELD",
      "identity_provider_id",
    ],
    ["no issuer", { issuer: "" }, "MISSING_FIELD", "issuer"],
    ["an issuer with control characters", { issuer: "a\u0000b" }, "INVALID_FIELD", "issuer"],
    ["an issuer with half a character", { issuer: "a\ud800b" }, "INVALID_FIELD", "issuer"],
    ["no address of keys", { jwksUrl: "" }, "MISSING_FIELD", "jwks_url"],
    ["an address that is none", { jwksUrl: "url.com" }, "INVALID_FIELD", "jwks_url"],
    ["the address of a file", { jwksUrl: "file:///etc/passwd" }, "INVALID_FIELD", "jwks_url"],
    ["an address with a password", { jwksUrl: "http://me:secret@keys.com/" }, "INVALID_FIELD", "jwks_url"],
    ["an audience that is too long", { audience: "x".repeat(4097) }, "INVALID_FIELD", "audience"],
  ])("%s", async (_, given, code, field) => {
    const failure = await expectFailure(create(given), code, field);
    expect(failure.status).toBe(400);
    if (code === "MISSING_FIELD") expect(failure.context["field_name"]).toBe(field);
  });

  test("no config at all", async () => {
    const failure = await expectFailure(
      ledger.open.createIdentityProviderConfig({ body: {} }),
      "MISSING_FIELD",
      "identity_provider_config",
    );
    expect(failure.context["field_name"]).toBe("identity_provider_config");
  });
});

test("GetConfigInvalidArguments", async () => {
  await expectFailure(get("!@"), "INVALID_FIELD", "identity_provider_id");
});

describe("UpdateConfigInvalidArguments", () => {
  test("an id of other characters", async () => {
    await expectFailure(update(newConfig({ identityProviderId: "!@" }), ["issuer"]), "INVALID_FIELD");
  });

  test("an address that is none", async () => {
    const config = newConfig({ jwksUrl: "url.com" });
    await expectFailure(update(config, ["is_deactivated"]), "INVALID_FIELD", "jwks_url");
  });

  test("no mask", async () => {
    await expectFailure(update(newConfig(), null), "MISSING_FIELD", "update_mask");
  });

  test("no config: over HTTP it is not the one of the path", async () => {
    const failing = ledger.open.updateIdentityProviderConfig({ params: { "idp-id": "some" }, body: {} });
    const failure = await expectFailure(failing, "INVALID_ARGUMENT", "does not match");
    expect(failure.context).toEqual({});
  });

  test("another config than the path's", async () => {
    const config = await created();
    await expectFailure(update(config, ["issuer"], "another"), "INVALID_ARGUMENT", "another does not match");
  });

  test.each([
    ["no path", [], "contains no entries"],
    ["an unknown path", ["display_name"], "unknown field"],
    ["a path in the spelling of JSON", ["isDeactivated"], "unknown field"],
    ["a path twice", ["issuer", "issuer"], "duplicated"],
  ])("a mask with %s", async (_, paths, words) => {
    const config = await created();
    const failure = await expectFailure(
      update({ ...config, issuer: "changed" }, paths),
      "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST",
      words,
    );
    expect(failure.resources).toEqual([["IDENTITY_PROVIDER_CONFIG", config.identityProviderId]]);
    expect((await get(config.identityProviderId)).identityProviderConfig).toEqual(config);
  });
});

test("DeleteConfigInvalidArguments", async () => {
  await expectFailure(remove("!@"), "INVALID_FIELD", "identity_provider_id");
});

describe("CreateConfigSuccess", () => {
  test("a created identity provider is returned as given", async () => {
    const config = newConfig({ audience: "https://here.example.com" });
    expect(await create(config)).toEqual({ identityProviderConfig: config });
    expect((await created({ isDeactivated: true })).isDeactivated).toBe(true);
  });

  test("an id twice, an issuer twice", async () => {
    const config = await created();
    const { identityProviderId, issuer } = config;
    const again = await expectFailure(create({ identityProviderId }), "IDP_CONFIG_ALREADY_EXISTS");
    expect([again.status, again.resources]).toEqual([
      409,
      [["IDENTITY_PROVIDER_CONFIG", identityProviderId]],
    ]);
    const same = await expectFailure(create({ issuer }), "IDP_CONFIG_ISSUER_ALREADY_EXISTS");
    expect(same.status).toBe(409);
    expect(await ledger.open.listIdentityProviderConfigs()).toEqual({ identityProviderConfigs: [config] });
  });

  test("ten at once with one id: one is made", async () => {
    const identityProviderId = fresh("idp");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => create({ identityProviderId })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("sixteen and no more", async () => {
    for (let i = 0; i < 16; i += 1) await created();
    const failure = await expectFailure(create(), "TOO_MANY_IDENTITY_PROVIDER_CONFIGS", "16");
    expect(failure.status).toBe(400);
    const { identityProviderConfigs } = await ledger.open.listIdentityProviderConfigs();
    expect(identityProviderConfigs).toHaveLength(16);
    await remove(identityProviderConfigs[0]?.identityProviderId ?? "");
    await created();
  });
});

describe("UpdateConfigSuccess", () => {
  test("each field alone", async () => {
    const config = await created({ audience: "before" });
    const changed = {
      ...config,
      isDeactivated: true,
      jwksUrl: "http://daml.com/jwks2.json",
      issuer: fresh("issuer"),
      audience: "after",
    };
    let expected = config;
    for (const [path, field] of [
      ["is_deactivated", "isDeactivated"],
      ["jwks_url", "jwksUrl"],
      ["issuer", "issuer"],
      ["audience", "audience"],
    ] as const) {
      expected = { ...expected, [field]: changed[field] };
      expect(await update(changed, [path])).toEqual({ identityProviderConfig: expected });
      expect((await get(config.identityProviderId)).identityProviderConfig).toEqual(expected);
    }
  });

  test("several fields at once change, and fields outside the mask stay", async () => {
    const config = await created({ isDeactivated: true, audience: "kept" });
    const { identityProviderId } = config;
    const issuer = fresh("issuer");
    const given = { identityProviderId, isDeactivated: false, issuer, jwksUrl: "", audience: "" };
    const { identityProviderConfig } = await update(given, [
      "identity_provider_id",
      "is_deactivated",
      "issuer",
    ]);
    expect(identityProviderConfig).toEqual({ ...config, isDeactivated: false, issuer });
  });

  test("an audience can be taken away; an issuer and an address cannot", async () => {
    const config = await created({ audience: "taken away" });
    const { identityProviderConfig } = await update({ ...config, audience: "", issuer: "", jwksUrl: "" }, [
      "audience",
      "issuer",
      "jwks_url",
    ]);
    expect(identityProviderConfig).toEqual({ ...config, audience: "" });
  });

  test("its own issuer again; another's not", async () => {
    const [config, other] = [await created(), await created()];
    expect(await update(config, ["issuer"])).toEqual({ identityProviderConfig: config });
    const failing = update({ ...config, issuer: other.issuer }, ["issuer"]);
    await expectFailure(failing, "IDP_CONFIG_ISSUER_ALREADY_EXISTS");
  });

  test("an unknown one", async () => {
    const failure = await expectFailure(update(newConfig(), ["issuer"]), "IDP_CONFIG_NOT_FOUND");
    expect(failure.status).toBe(404);
  });
});

test("GetConfigSuccess", async () => {
  const config = await created();
  expect(await get(config.identityProviderId)).toEqual({ identityProviderConfig: config });
  const failure = await expectFailure(get(fresh("unknown")), "IDP_CONFIG_NOT_FOUND");
  expect([failure.status, failure.resources[0]?.[0]]).toEqual([404, "IDENTITY_PROVIDER_CONFIG"]);
});

test("ListConfig", async () => {
  const [first, second] = [await created(), await created()];
  const { identityProviderConfigs } = await ledger.open.listIdentityProviderConfigs();
  expect(identityProviderConfigs).toEqual(expect.arrayContaining([first, second]));
  expect(identityProviderConfigs).toHaveLength(2);
});

test("DeleteConfigSuccess", async () => {
  const { identityProviderId } = await created();
  expect(await remove(identityProviderId)).toEqual({});
  await expectFailure(remove(identityProviderId), "IDP_CONFIG_NOT_FOUND");
  await expectFailure(get(identityProviderId), "IDP_CONFIG_NOT_FOUND");
});

test("an id with every character that one may have, through the path", async () => {
  const config = await created({ identityProviderId: "idp-id-#:-_ ./9Z" });
  expect(await get(config.identityProviderId)).toEqual({ identityProviderConfig: config });
  expect(await remove(config.identityProviderId)).toEqual({});
});

test("one that still has users can be deleted; they stay", async () => {
  const { identityProviderId } = await created();
  const user = { id: fresh("user"), identityProviderId };
  await ledger.open.createUser({ body: { user, rights: [] } });
  await remove(identityProviderId);
  await created({ identityProviderId });
  const found = await ledger.open.getUser({
    params: { "user-id": user.id },
    query: { "identity-provider-id": identityProviderId },
  });
  expect(found.user).toMatchObject(user);
});

test("a config that is no object is refused in the shape of every error", async () => {
  const body = { identityProviderConfig: ["https://issuer.example.com"] };
  const failure = failureIn(await call(`${ledger.participant.url}/v2/idps`, { body }));
  expect(failure.status).toBe(400);
});
