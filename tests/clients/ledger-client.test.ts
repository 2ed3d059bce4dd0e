// The Canton Network's own ledger client, unmodified, against a participant of the local network.

import { isJsCantonError, type LedgerClient, supportedVersions } from "@canton-network/core-ledger-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { allocate, endOf, everythingOf } from "./actors.ts";
import { behindGateway, ledgerClient, resolveLocalhostNames, scanClient, tokensOf } from "./real-clients.ts";

let world: LocalNetwork;
let admin: LedgerClient;
let forgetNames: () => void;
beforeAll(async () => {
  forgetNames = resolveLocalhostNames();
  world = await LocalNetwork.start();
  admin = ledgerClient(world.net.nodes["app-user"].ledgerUrl);
});
afterAll(async () => {
  forgetNames?.();
  await world?.close();
});

describe("the client finds out whom it speaks to", () => {
  test("version, by itself before its first read", async () => {
    const client = ledgerClient(world.net.nodes["app-provider"].ledgerUrl);
    await client.init();
    expect(supportedVersions).toContain(client.getCurrentClientVersion());
    const { version } = await client.get("/v2/version");
    expect(version.startsWith(client.getCurrentClientVersion())).toBe(true);
  });

  test("participant, synchronizer, ledger end, pruning, packages", async () => {
    const { participantId } = await admin.get("/v2/parties/participant-id");
    expect(participantId).toMatch(/^participant::1220[0-9a-f]{64}$/);
    const synchronizerId = await admin.getSynchronizerId();
    const scan = scanClient(`${world.net.svs[0]?.scanUrl}/api/scan`);
    expect(synchronizerId).toBe(await scan.getAmuletSynchronizerId());
    const party = await world.party("app-user");
    expect(await admin.get("/v2/state/connected-synchronizers", { query: { party } })).toEqual({
      connectedSynchronizers: [
        { synchronizerAlias: "global", synchronizerId, permission: "PARTICIPANT_PERMISSION_SUBMISSION" },
      ],
    });
    expect(await endOf(admin)).toBeGreaterThan(0);
    expect(await admin.get("/v2/state/latest-pruned-offsets")).toEqual({
      participantPrunedUpToInclusive: 0,
      allDivulgedContractsPrunedUpToInclusive: 0,
    });
    const { packageIds } = await admin.get("/v2/packages");
    const rules = await scan.getAmuletRules();
    expect(packageIds).toContain(rules.template_id.split(":")[0]);
    for (const [packageId, status] of [
      [packageIds[0] ?? "", "PACKAGE_STATUS_REGISTERED"],
      ["ab".repeat(32), "PACKAGE_STATUS_UNSPECIFIED"],
    ] as const) {
      const answer = await admin.get("/v2/packages/{package-id}/status", {
        path: { "package-id": packageId },
      });
      expect(answer.packageStatus).toBe(status);
    }
  });

  test("through the gateway, by LocalNet's host names", async () => {
    const ids = new Set<string>();
    for (const node of ["app-user", "app-provider"] as const) {
      const client = ledgerClient(behindGateway(world, node, "json-ledger-api.localhost"));
      await client.init();
      const { participantId } = await client.get("/v2/parties/participant-id");
      expect(participantId).toMatch(/^participant::1220[0-9a-f]{64}$/);
      ids.add(participantId);
    }
    expect(ids.size).toBe(2);
  });
});

describe("parties and users", () => {
  test("a party is allocated, found, listed and described", async () => {
    const party = await allocate(admin, "alice");
    expect(await admin.checkIfPartyExists(party)).toBe(true);
    expect(await admin.checkIfPartyExists(party.replace("alice", "malice"))).toBe(false);
    const listed = await admin.get("/v2/parties", { query: { "filter-party": party } });
    expect(listed.partyDetails?.map((details) => details.party)).toEqual([party]);
    const patched = await admin.patch(
      "/v2/parties/{party}",
      {
        partyDetails: {
          party,
          isLocal: true,
          identityProviderId: "",
          localMetadata: { resourceVersion: "", annotations: { "example.com/team": "red" } },
        },
        updateMask: { paths: ["local_metadata.annotations"], unknownFields: { fields: {} } },
      },
      { path: { party } },
    );
    expect(patched.partyDetails?.localMetadata?.annotations).toEqual({ "example.com/team": "red" });
    const [found] = (await admin.get("/v2/parties/{party}", { path: { party } })).partyDetails ?? [];
    expect(found).toEqual(patched.partyDetails);
  });

  test("a user is made once, with rights that are granted and listed", async () => {
    const party = await allocate(admin, "bob");
    const id = fresh("bob");
    const user = await admin.createUser(id, party);
    expect(user).toMatchObject({ id, primaryParty: party, isDeactivated: false });
    expect(await admin.createUser(user.id, party)).toEqual(user);
    await admin.grantMasterUserRights(user.id, true, true);
    const granted = await admin.grantRights(user.id, { actAs: [party], readAs: [party] });
    expect(granted.newlyGrantedRights).toHaveLength(2);
    await admin.waitForPartyAndGrantUserRights(user.id, party, 3, 1);
    const { rights } = await admin.get("/v2/users/{user-id}/rights", { path: { "user-id": user.id } });
    expect(rights?.map(({ kind }) => Object.keys(kind ?? {})[0]).sort()).toEqual([
      "CanActAs",
      "CanExecuteAsAnyParty",
      "CanReadAs",
      "CanReadAsAnyParty",
      "ParticipantAdmin",
    ]);
    const self = ledgerClient(world.net.nodes["app-user"].ledgerUrl, tokensOf(user.id));
    expect(await self.get("/v2/authenticated-user")).toEqual({ user });
  });

  test("a token signed with another secret is worth nothing, one of nobody neither", async () => {
    const url = world.net.nodes["app-user"].ledgerUrl;
    for (const [tokens, grpcCodeValue] of [
      [tokensOf("ledger-api-user", "safe"), 16],
      [tokensOf("nobody"), 7],
    ] as const) {
      const refused = await ledgerClient(url, tokens)
        .post("/v2/parties", { partyIdHint: "x", identityProviderId: "", synchronizerId: "", userId: "" })
        .catch((error: unknown) => error);
      expect(isJsCantonError(refused)).toBe(true);
      expect(refused).toMatchObject({ code: "NA", grpcCodeValue });
    }
  });
});

describe("changes of users and parties", () => {
  test("annotations of a party and of a user, by their masks; another version is refused", async () => {
    const party = await allocate(admin, "annotated");
    const updateMask = { paths: ["local_metadata.annotations"], unknownFields: { fields: {} } };
    const details = (resourceVersion: string) => ({
      party,
      isLocal: true,
      localMetadata: { resourceVersion, annotations: { "example.com/colour": "green" } },
      identityProviderId: "",
    });
    const { partyDetails } = await admin.patch(
      "/v2/parties/{party}",
      { partyDetails: details("0"), updateMask },
      { path: { party } },
    );
    expect(partyDetails.localMetadata).toEqual({
      resourceVersion: "1",
      annotations: { "example.com/colour": "green" },
    });
    const refused = await admin
      .patch("/v2/parties/{party}", { partyDetails: details("0"), updateMask }, { path: { party } })
      .catch((error: unknown) => error);
    expect(isJsCantonError(refused)).toBe(true);
    expect(refused).toMatchObject({
      code: "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED",
      retryInfo: "1 second",
    });

    const id = fresh("patched");
    await admin.createUser(id, party);
    const { user } = await admin.patch(
      "/v2/users/{user-id}",
      {
        user: {
          ...(await admin.get("/v2/users/{user-id}", { path: { "user-id": id } })).user,
          isDeactivated: true,
        },
        updateMask: { paths: ["is_deactivated"], unknownFields: { fields: {} } },
      },
      { path: { "user-id": id } },
    );
    expect(user).toMatchObject({ id, isDeactivated: true, primaryParty: party });
    const self = ledgerClient(world.net.nodes["app-user"].ledgerUrl, tokensOf(id));
    const gone = await self
      .post("/v2/state/active-contracts", { activeAtOffset: 0, eventFormat: everythingOf(party) })
      .catch((error: unknown) => error);
    expect(gone).toMatchObject({ code: "NA", grpcCodeValue: 7 });
  });

  test("identity providers are made and listed", async () => {
    const config = {
      identityProviderId: fresh("idp"),
      isDeactivated: true,
      issuer: fresh("https://issuer.example.com/"),
      jwksUrl: "https://issuer.example.com/keys",
      audience: "",
    };
    const made = await admin.post("/v2/idps", { identityProviderConfig: config });
    expect(made).toEqual({ identityProviderConfig: config });
    expect((await admin.get("/v2/idps")).identityProviderConfigs).toContainEqual(config);
  });
});

test("the package that a submission uses is looked up", async () => {
  const { packagePreference } = await admin.get("/v2/interactive-submission/preferred-package-version", {
    query: { "package-name": "splice-amulet" },
  });
  expect(packagePreference).toMatchObject({
    packageReference: { packageName: "splice-amulet" },
    synchronizerId: await admin.getSynchronizerId(),
  });
});

test("parties with keys of their own are not offered, and what to do instead is said", async () => {
  const synchronizer = await admin.getSynchronizerId();
  for (const attempt of [
    () => admin.generateTopology(synchronizer, "a2V5", "keyed"),
    () => admin.allocateExternalParty(synchronizer, [], []),
  ]) {
    const refused = await attempt().catch((error: unknown) => error);
    expect(isJsCantonError(refused)).toBe(true);
    expect(refused).toMatchObject({
      code: "UNSUPPORTED_OPERATION",
      grpcCodeValue: 12,
      cause: expect.stringContaining("Instead, "),
    });
  }
});
