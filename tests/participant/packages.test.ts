/** Packages: which there are, which are vetted, which a submission would use, and what is not offered. */
import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { networkCatalogue, PROTOCOL_VERSION } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, readyParticipant, type TestParticipant, tokenFor } from "../support/participants.ts";
import { call, errorOf, refusalOf } from "./call.ts";
import { EXECUTE_NOTHING } from "./ledger-requests.ts";
import { createPreference } from "./preferences.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let synchronizerId: string;
const { packages } = networkCatalogue.at(PROTOCOL_VERSION);
const [first] = packages.map((loaded) => loaded.package);
const ids = packages.map((loaded) => loaded.package.id).sort();
const party = "alice::1220aa";

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
  const { connectedSynchronizers } = await participant.admin.listConnectedSynchronizers();
  synchronizerId = connectedSynchronizers[0]?.synchronizerId ?? "";
});

const post = (path: string, body: unknown = {}) => call(participant.url + path, { user: ADMIN, body });

describe("preferred packages", () => {
  const requirement = { parties: [party], packageName: first?.name ?? "" };
  const reference = { packageId: first?.id, packageName: first?.name, packageVersion: first?.version };

  test("each is the one version of the package", async () => {
    const found = await participant.admin.getPreferredPackages({
      body: { packageVettingRequirements: [requirement] },
    });
    expect(found).toEqual({ packageReferences: [reference], synchronizerId });
    const one = await participant.admin.getPreferredPackageVersion({
      query: { parties: [party], "package-name": requirement.packageName },
    });
    expect(one).toEqual({ packagePreference: { packageReference: reference, synchronizerId } });
  });

  test("an unknown package or synchronizer has none", async () => {
    for (const body of [
      { packageVettingRequirements: [{ parties: [party], packageName: "no-such-package" }] },
      { packageVettingRequirements: [requirement], synchronizerId: "other::1220aa" },
    ]) {
      const error = errorOf(await post("/v2/interactive-submission/preferred-packages", body));
      expect([error.status, error.code]).toEqual([400, "NO_PREFERRED_PACKAGES_FOUND"]);
    }
    const none = await participant.admin.getPreferredPackageVersion({
      query: { parties: [party], "package-name": "no-such-package" },
    });
    expect(none).toEqual({ packagePreference: null });
  });

  test("a malformed request is refused with its fault", async () => {
    for (const [body, code] of [
      [{}, "MISSING_FIELD"],
      [{ packageVettingRequirements: [{ parties: [], packageName: "a" }] }, "MISSING_FIELD"],
      [{ packageVettingRequirements: [{ parties: ["\u00e9"], packageName: "a" }] }, "INVALID_ARGUMENT"],
      [{ packageVettingRequirements: [{ parties: [party], packageName: "" }] }, "MISSING_FIELD"],
      [{ packageVettingRequirements: [{ parties: [party], packageName: "a b" }] }, "INVALID_FIELD"],
      [{ packageVettingRequirements: [requirement], vettingValidAt: "soon" }, "INVALID_FIELD"],
      [{ packageVettingRequirements: new Array(101).fill(requirement) }, "INVALID_ARGUMENT"],
    ] as const) {
      const error = errorOf(await post("/v2/interactive-submission/preferred-packages", body));
      expect([error.status, error.code]).toEqual([400, code]);
    }
    const path = "/v2/interactive-submission/preferred-package-version?parties=a::b";
    const error = errorOf(await call(participant.url + path, { method: "GET", user: ADMIN }));
    expect([error.status, error.cause]).toEqual([
      400,
      "Invalid value for: query parameter package-name (missing)",
    ]);
  });
});

describe("vetting", () => {
  const list = (body: unknown) => post("/v2/package-vetting/list", body);

  test("every package is vetted, without bounds", async () => {
    const { vettedPackages, nextPageToken } = await participant.admin.listVettedPackages({ body: {} });
    expect(nextPageToken).toBe("");
    expect(vettedPackages).toMatchObject([{ participantId: participant.participantId, synchronizerId }]);
    expect(vettedPackages[0]?.packages.map(({ packageId }) => packageId)).toEqual(ids);
    expect(await participant.admin.listVettedPackagesByGet()).toEqual({ vettedPackages, nextPageToken });
  });

  test("filters select by id, by the beginning of a name, by participant and by synchronizer", async () => {
    const count = async (body: unknown) => {
      const { json } = await list(body);
      const { vettedPackages } = json as { vettedPackages: { packages: unknown[] }[] };
      return vettedPackages.flatMap(({ packages }) => packages).length;
    };
    expect(await count({ packageMetadataFilter: { packageIds: [first?.id] } })).toBe(1);
    expect(await count({ packageMetadataFilter: { packageNamePrefixes: [first?.name] } })).toBeGreaterThan(0);
    expect(await count({ packageMetadataFilter: { packageNamePrefixes: ["zzz"] } })).toBe(0);
    expect(await count({ topologyStateFilter: { participantIds: ["somebody::1220aa"] } })).toBe(0);
    expect(await count({ topologyStateFilter: { synchronizerIds: [synchronizerId] } })).toBe(ids.length);
  });

  test("the body of a GET is read too", async () => {
    const body = JSON.stringify({ packageMetadataFilter: { packageNamePrefixes: ["zzz"] } });
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(`${participant.url}/v2/package-vetting`, { method: "GET" }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      });
      sent.on("error", reject);
      void tokenFor(ADMIN).then((token) => {
        sent.setHeader("authorization", `Bearer ${token}`);
        sent.setHeader("content-length", Buffer.byteLength(body));
        sent.end(body);
      });
    });
    expect(JSON.parse(answer)).toEqual({ vettedPackages: [], nextPageToken: "" });
  });

  test("sizes and tokens of pages are checked", async () => {
    for (const body of [{ pageSize: -1 }, { pageSize: 101 }, { pageToken: "next" }]) {
      const error = errorOf(await list(body));
      expect([error.status, error.code]).toEqual([400, "INVALID_ARGUMENT"]);
    }
  });

  test("vetting a vetted package changes nothing, and unvetting is not offered", async () => {
    const vet = (packages: unknown[], more: object = {}) => ({
      changes: [{ operation: { Vet: { value: { packages, ...more } } } }],
    });
    const { json } = await post("/v2/package-vetting/update", vet([{ packageId: first?.id }]));
    const { pastVettedPackages, newVettedPackages } = json as Record<string, unknown>;
    expect(newVettedPackages).toEqual(pastVettedPackages);
    const unvet = {
      changes: [{ operation: { Unvet: { value: { packages: [{ packageId: first?.id }] } } } }],
    };
    for (const [body, status, code] of [
      [unvet, 501, "UNSUPPORTED_OPERATION"],
      [vet([], { newValidUntilExclusive: "2027-01-01T00:00:00Z" }), 501, "UNSUPPORTED_OPERATION"],
      [vet([{ packageId: "unknown" }]), 404, "UNRESOLVED_VETTING_REFERENCE"],
      [vet([{}]), 400, "INVALID_ARGUMENT"],
      [{ changes: [{}] }, 400, "MISSING_FIELD"],
      [{}, 400, "MISSING_FIELD"],
      [{ ...vet([]), synchronizerId: "other::1220aa" }, 400, "NOT_CONNECTED_TO_SYNCHRONIZER"],
      [{ ...vet([]), expectedTopologySerial: { serial: { Prior: { value: 7 } } } }, 400, "INVALID_ARGUMENT"],
    ] as const) {
      const error = errorOf(await post("/v2/package-vetting", body));
      expect([error.status, error.code]).toEqual([status, code]);
    }
  });
});

describe("an operation that is not offered names the alternative", () => {
  test.each([
    ["/v2/packages", { some: "bytes" }],
    ["/v2/dars?vetAllPackages=false", {}],
    ["/v2/dars/validate", {}],
    ["/v2/interactive-submission/execute", EXECUTE_NOTHING],
    ["/v2/interactive-submission/executeAndWait", EXECUTE_NOTHING],
    ["/v2/interactive-submission/executeAndWaitForTransaction", EXECUTE_NOTHING],
    [
      "/v2/interactive-submission/prepare",
      { ...createPreference(party), actAs: [], synchronizerId: "", packageIdSelectionPreference: [] },
    ],
  ])("%s", async (path, body) => {
    const error = errorOf(await post(path, body));
    expect([error.status, error.code, error.grpcCodeValue, error.definiteAnswer]).toEqual([
      501,
      "UNSUPPORTED_OPERATION",
      12,
      false,
    ]);
    expect(error.cause).toMatch(/^This participant does not offer .*\. Instead, .*\.$/);
  });

  test("the archive of a known package is not offered, and that of an unknown one not found", async () => {
    const known = await refusalOf(participant.admin.getPackage({ params: { "package-id": ids[0] ?? "" } }));
    expect([known.status, known.code]).toEqual([501, "UNSUPPORTED_OPERATION"]);
    const unknown = await refusalOf(participant.admin.getPackage({ params: { "package-id": "ab" } }));
    expect([unknown.status, unknown.code, unknown.resources]).toEqual([
      404,
      "PACKAGE_NOT_FOUND",
      [["PACKAGE", "ab"]],
    ]);
  });
});
