/** PATCH /v2/parties/{party}: masks, versions, annotations, and the order of the checks. */
import { beforeAll, describe, expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, readyParticipant, type TestParticipant } from "../support/participants.ts";
import { call, errorOf, refusalOf } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let parties = 0;

beforeAll(async () => {
  participant = await readyParticipant({}, atEnd);
});

type Annotations = Record<string, string>;

async function allocate(annotations: Annotations = {}): Promise<string> {
  const body = { partyIdHint: `party-${++parties}`, localMetadata: { annotations } };
  return (await participant.admin.allocateParty({ body })).partyDetails.party;
}

function patch(
  party: string,
  paths: string[],
  details: {
    readonly annotations?: Annotations;
    readonly resourceVersion?: string;
    readonly isLocal?: boolean;
    readonly identityProviderId?: string;
  } = {},
) {
  const { annotations, resourceVersion, ...rest } = details;
  const localMetadata = {
    ...(annotations === undefined ? {} : { annotations }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  const partyDetails = { party, localMetadata, ...rest };
  return participant.admin.updatePartyDetails({
    params: { party },
    body: { partyDetails, updateMask: { paths } },
  });
}

async function metadataOf(party: string) {
  const { partyDetails } = await participant.admin.getParties({ params: { party } });
  return partyDetails[0]?.localMetadata;
}

describe("annotations", () => {
  test.each(["local_metadata.annotations", "local_metadata"])("are merged by %s", async (path) => {
    const party = await allocate({ k1: "v1", k2: "v2", k3: "v3" });
    const { partyDetails } = await patch(party, [path], {
      annotations: { k1: "v1a", k3: "", k4: "v4", k5: "" },
    });
    expect(partyDetails).toEqual({
      party,
      isLocal: true,
      localMetadata: { resourceVersion: "1", annotations: { k1: "v1a", k2: "v2", k4: "v4" } },
      identityProviderId: "",
    });
    expect(await metadataOf(party)).toEqual(partyDetails.localMetadata);
  });

  test.each(["local_metadata.annotations", "local_metadata", "party", "local_metadata.resource_version"])(
    "stay as they are with an empty map and the path %s, and the version counts on",
    async (path) => {
      const party = await allocate({ k1: "v1" });
      const { partyDetails } = await patch(party, [path], { annotations: {} });
      expect(partyDetails.localMetadata).toEqual({ resourceVersion: "1", annotations: { k1: "v1" } });
    },
  );

  test("that the mask does not select are not taken", async () => {
    const party = await allocate({ k1: "v1" });
    const { partyDetails } = await patch(party, ["party", "identity_provider_id"], {
      annotations: { k2: "v2" },
    });
    expect(partyDetails.localMetadata?.annotations).toEqual({ k1: "v1" });
  });

  test("survive ten writers at once", async () => {
    const party = await allocate();
    const keys = Array.from({ length: 10 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => patch(party, ["local_metadata"], { annotations: { [key]: "v" } })));
    expect(await metadataOf(party)).toEqual({
      resourceVersion: "10",
      annotations: Object.fromEntries(keys.map((key) => [key, "v"])),
    });
  });

  const big = (bytes: number) => "x".repeat(bytes);
  test("may have 256 KiB; empty values do not count", async () => {
    const party = await allocate();
    const { partyDetails } = await patch(party, ["local_metadata.annotations"], {
      annotations: { a: big(262_143), cc: "" },
    });
    expect(partyDetails.localMetadata?.annotations["a"]).toHaveLength(262_143);
    const more = await refusalOf(patch(party, ["local_metadata"], { annotations: { b: "1" } }));
    expect(more).toMatchObject({
      status: 400,
      code: "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED",
      errorCategory: 9,
    });
    const request = await refusalOf(patch(party, ["local_metadata"], { annotations: { a: big(262_144) } }));
    expect(request).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(request.cause).toContain("larger than the limit of 256kb");
  });

  test.each([
    ["0-aaaa.management.daml/foo", true],
    ["foo/", true],
    ["a", true],
    ["a.b_c-d", true],
    [`${"p".repeat(253)}/n`, true],
    [`p/${"n".repeat(63)}`, true],
    [".aaaa.management.daml/foo_", false],
    ["a/b/c", false],
    ["", false],
    ["-a", false],
    ["a_", false],
    ["ä", false],
    ["/a", false],
    [`${"p".repeat(254)}/n`, false],
    ["n".repeat(64), false],
  ])("the key %j is valid: %j", async (key, valid) => {
    const party = await allocate();
    const update = patch(party, ["local_metadata"], { annotations: { [key]: "" } });
    if (valid) await update;
    else expect(await refusalOf(update)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });

  test("with empty values are refused for a new party", async () => {
    const refused = await refusalOf(allocate({ k: "" }));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(refused.cause).toContain("value of an annotation is empty");
  });
});

describe("the version", () => {
  test("is compared if it is given, with any mask", async () => {
    const party = await allocate();
    expect(await metadataOf(party)).toMatchObject({ resourceVersion: "0" });
    await patch(party, ["local_metadata"], { annotations: { k: "1" }, resourceVersion: "0" });
    const stale = await refusalOf(patch(party, ["party"], { resourceVersion: "0" }));
    expect(stale).toMatchObject({
      status: 409,
      code: "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED",
      errorCategory: 2,
      grpcCodeValue: 10,
      retryInfo: "1 second",
      resources: [["PARTY", party]],
    });
    await patch(party, ["local_metadata"], { annotations: { k: "" }, resourceVersion: "1" });
    expect(await metadataOf(party)).toEqual({ resourceVersion: "2", annotations: {} });
  });

  test.each(["x", "1.5", "9223372036854775808"])("%j is not one", async (resourceVersion) => {
    const refused = await refusalOf(patch(await allocate(), ["party"], { resourceVersion }));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_FIELD" });
    expect(refused.cause).toContain("party_details.local_metadata: Invalid resource version number");
  });
});

describe("the mask", () => {
  test.each([
    [[], "The update mask contains no entries"],
    [["unknown_field"], "The update path: 'unknown_field' points to an unknown field."],
    [["aaa!bbb"], "unknown field"],
    [[""], "unknown field"],
    [["localMetadata"], "unknown field"],
    [["local_metadata.annotations.foo"], "unknown field"],
    [["display_name"], "unknown field"],
    [["."], "unknown field"],
    [["*"], "unknown field"],
    [["local_metadata", "local_metadata"], "The update path: 'local_metadata' is duplicated."],
  ])("%j is refused", async (paths, words) => {
    const party = await allocate();
    const refused = await refusalOf(patch(party, paths));
    expect(refused).toMatchObject({
      status: 400,
      code: "INVALID_PARTY_DETAILS_UPDATE_REQUEST",
      errorCategory: 8,
      resources: [["PARTY", party]],
    });
    expect(refused.cause).toContain(`Update operation for party '${party}' failed due to: `);
    expect(refused.cause).toContain(words);
    expect(await metadataOf(party)).toMatchObject({ resourceVersion: "0" });
  });

  test("may name is_local, but not change it", async () => {
    const party = await allocate();
    await patch(party, ["is_local"], { isLocal: true });
    const refused = await refusalOf(patch(party, ["is_local"], { isLocal: false }));
    expect(refused.code).toBe("INVALID_PARTY_DETAILS_UPDATE_REQUEST");
    expect(refused.cause).toContain("not-modifiable 'is_local'");
  });
});

describe("the request", () => {
  test("for a party that is not known is 404", async () => {
    const refused = await refusalOf(patch("nobody::1220ab", ["local_metadata"], { annotations: { a: "1" } }));
    expect(refused).toMatchObject({ status: 404, code: "PARTY_NOT_FOUND", errorCategory: 11 });
  });

  const url = (party: string) => `${participant.url}/v2/parties/${encodeURIComponent(party)}`;
  const ask = (party: string, body: unknown, user: string | null = ADMIN) =>
    call(url(party), { method: "PATCH", body, user });

  test("must name one party, which is said before the token is asked for", async () => {
    for (const body of [{}, { partyDetails: null }, { partyDetails: { party: "b" } }]) {
      const refused = errorOf(await ask("a", body, null));
      expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
      expect(refused.cause).toContain("a does not match party in body");
    }
  });

  test("needs an update mask", async () => {
    const party = await allocate();
    const refused = errorOf(await ask(party, { partyDetails: { party } }));
    expect(refused).toMatchObject({ status: 400, code: "MISSING_FIELD" });
    expect(refused.context).toMatchObject({ field_name: "update_mask" });
  });

  test("may leave out all metadata", async () => {
    const party = await allocate({ k: "v" });
    const answer = await ask(party, { partyDetails: { party }, updateMask: { paths: ["party"] } });
    expect(answer.status).toBe(200);
    expect(await metadataOf(party)).toEqual({ resourceVersion: "1", annotations: { k: "v" } });
  });

  test("for an identity provider that is not there is refused", async () => {
    const party = await allocate();
    const refused = await refusalOf(patch(party, ["party"], { identityProviderId: "idp" }));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(refused.cause).toContain("Provided identity_provider_id idp has not been found.");
    expect(await refusalOf(patch(party, ["party"], { identityProviderId: "!" }))).toMatchObject({
      status: 400,
      code: "INVALID_TOKEN",
    });
  });

  test.each([
    ["x".repeat(256), "is too long (max: 255)"],
    ["emoji😀", "non expected character 0x1f600 in Daml-LF Party"],
  ])("for %j is refused", async (party, words) => {
    const refused = await refusalOf(patch(party, ["party"]));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(refused.cause).toContain(words);
  });

  test("without a token is 401, without the right 403, and both say no more", async () => {
    const party = await allocate();
    await participant.admin.createUser({ body: { user: { id: "plain" }, rights: [] } });
    const body = { partyDetails: { party }, updateMask: { paths: ["party"] } };
    const redacted = { code: "NA", errorCategory: -1, context: {}, definiteAnswer: null };
    expect(errorOf(await ask(party, body, null))).toMatchObject({
      status: 401,
      grpcCodeValue: 16,
      ...redacted,
    });
    expect(errorOf(await ask(party, body, "plain"))).toMatchObject({
      status: 403,
      grpcCodeValue: 7,
      ...redacted,
    });
  });
});
