/**
 * PartyManagementServiceObjectMetaIT and UserManagementServiceObjectMetaIT: what parties and users have alike. Titles
 * are the upstream tests' names.
 */
import { describe, expect, test } from "vitest";
import { fresh } from "../support/fresh.ts";
import { expectFailure } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);

type Annotations = Record<string, string>;

interface Meta {
  readonly resourceVersion: string;
  readonly annotations: Annotations;
}

interface Resource {
  readonly idPath: string;
  readonly metaPath: string;
  readonly invalidUpdate: string;
  readonly concurrentUpdate: string;
  readonly tooLarge: string;
  readonly create: (annotations: Annotations) => Promise<{ readonly id: string; readonly meta: Meta }>;
  readonly update: (id: string, paths: string[], meta: Partial<Meta>) => Promise<Meta>;
  readonly read: (id: string) => Promise<Meta>;
}

const resources: Readonly<Record<string, Resource>> = {
  party: {
    idPath: "party",
    metaPath: "local_metadata",
    invalidUpdate: "INVALID_PARTY_DETAILS_UPDATE_REQUEST",
    concurrentUpdate: "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED",
    tooLarge: "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED",
    create: async (annotations) => {
      const body = { partyIdHint: fresh("party"), localMetadata: { annotations } };
      const { partyDetails } = await ledger.open.allocateParty({ body });
      return { id: partyDetails.party, meta: needMeta(partyDetails.localMetadata) };
    },
    update: async (party, paths, localMetadata) => {
      const body = { partyDetails: { party, localMetadata }, updateMask: { paths } };
      const { partyDetails } = await ledger.open.updatePartyDetails({ params: { party }, body });
      return needMeta(partyDetails.localMetadata);
    },
    read: async (party) => {
      const { partyDetails } = await ledger.open.getParties({ params: { party } });
      return needMeta(partyDetails[0]?.localMetadata);
    },
  },
  user: {
    idPath: "id",
    metaPath: "metadata",
    invalidUpdate: "INVALID_USER_UPDATE_REQUEST",
    concurrentUpdate: "CONCURRENT_USER_UPDATE_DETECTED",
    tooLarge: "MAX_USER_ANNOTATIONS_SIZE_EXCEEDED",
    create: async (annotations) => {
      const body = { user: { id: fresh("user"), metadata: { annotations } }, rights: [] };
      const { user } = await ledger.open.createUser({ body });
      return { id: user.id, meta: needMeta(user.metadata) };
    },
    update: async (id, paths, metadata) => {
      const body = { user: { id, metadata }, updateMask: { paths } };
      return needMeta((await ledger.open.updateUser({ params: { "user-id": id }, body })).user.metadata);
    },
    read: async (id) => needMeta((await ledger.open.getUser({ params: { "user-id": id } })).user.metadata),
  },
};

function needMeta(meta: Meta | null | undefined): Meta {
  if (meta === null || meta === undefined) throw new Error("there is no metadata");
  return meta;
}

const LIMIT = 262_144;
const VALID_KEY = "0-aaaa.management.daml/foo";
const INVALID_KEY = ".aaaa.management.daml/foo_";

describe.each(Object.entries(resources))("%s", (_, resource) => {
  const { idPath, metaPath, invalidUpdate, concurrentUpdate, tooLarge, create, update, read } = resource;
  const annotationsPath = `${metaPath}.annotations`;
  const versionPath = `${metaPath}.resource_version`;

  test("AllowSpecifyingResourceVersionAndResourceIdInUpdateMask", async () => {
    const { id } = await create({ k1: "v1", k2: "v2" });
    const updated = await update(id, [idPath, versionPath], { annotations: {}, resourceVersion: "" });
    expect(updated.annotations).toEqual({ k1: "v1", k2: "v2" });
  });

  test("UpdatingResourceUtilizingConcurrentChangeControl", async () => {
    const { id, meta } = await create({});
    expect(meta.resourceVersion).not.toBe("");
    const second = await update(id, [annotationsPath], {
      resourceVersion: "",
      annotations: { k1: "v1", k2: "v2" },
    });
    expect(second.annotations).toEqual({ k1: "v1", k2: "v2" });
    expect(second.resourceVersion).not.toBe(meta.resourceVersion);
    const stale = { resourceVersion: meta.resourceVersion, annotations: { k1: "v1a" } };
    const failure = await expectFailure(update(id, [annotationsPath], stale), concurrentUpdate);
    expect([failure.errorCategory, failure.retryInfo]).toEqual([2, "1 second"]);
    const third = await update(id, [annotationsPath], {
      resourceVersion: second.resourceVersion,
      annotations: { k1: "v1a", k2: "", k3: "v3" },
    });
    expect(third.annotations).toEqual({ k1: "v1a", k3: "v3" });
    expect(third.resourceVersion).not.toBe(second.resourceVersion);
  });

  test("RaceConditionUpdateResourceAnnotations", async () => {
    const { id } = await create({});
    const keys = Array.from({ length: 10 }, (_, i) => `key${i}`);
    await Promise.all(keys.map((key) => update(id, [annotationsPath], { annotations: { [key]: "v" } })));
    const { annotations, resourceVersion } = await read(id);
    expect(annotations).toEqual(Object.fromEntries(keys.map((key) => [key, "v"])));
    expect(resourceVersion).toBe("10");
  });

  test("FailingUpdateRequestsWhenUpdatePathIsDuplicated", async () => {
    const { id } = await create({});
    const paths = [annotationsPath, annotationsPath];
    await expectFailure(update(id, paths, { annotations: { k: "v" } }), invalidUpdate, "is duplicated");
  });

  test("FailingUpdateRequestWhenNoUpdatePaths", async () => {
    const { id } = await create({});
    await expectFailure(update(id, [], { annotations: { k: "v" } }), invalidUpdate, "contains no entries");
  });

  test.each(["unknown_field", "aaa!bbb", "", ".", "*", "localMetadata", "metadata.", "local_metadata."])(
    "FAilingUpdateRequestWhenUpdateMaskHaveUnknownFieldPath: %j",
    async (path) => {
      const { id } = await create({});
      const failed = update(id, [idPath, path], { annotations: { k: "v" } });
      await expectFailure(failed, invalidUpdate, `'${path}' points to an unknown field`);
      expect(await read(id)).toEqual({ resourceVersion: "0", annotations: {} });
    },
  );

  test("FailingToCreateResourceWhenAnnotationsValueIsEmpty", async () => {
    const failed = create({ k1: "v1", k2: "" });
    await expectFailure(failed, "INVALID_ARGUMENT", "value of an annotation is empty for key: 'k2'");
  });

  test("TestAnnotationsKeySyntaxOnResourceCreation", async () => {
    await expectFailure(create({ [INVALID_KEY]: "v" }), "INVALID_ARGUMENT", "has invalid syntax");
  });

  test("TestAnnotationsSizeLimitsOnResourceCreation", async () => {
    const failed = create({ a: "x".repeat(LIMIT) });
    await expectFailure(failed, "INVALID_ARGUMENT", "larger than the limit of 256kb");
  });

  test.each([annotationsPath, metaPath])("UpdateAnnotationsUsingNonEmptyMap: %s", async (path) => {
    const { id } = await create({ k1: "v1", k2: "v2", k3: "v3" });
    const annotations = { k1: "v1a", k3: "", k4: "v4", k5: "" };
    for (const version of ["1", "2"]) {
      const updated = await update(id, [path], { annotations });
      expect(updated).toEqual({
        resourceVersion: version,
        annotations: { k1: "v1a", k2: "v2", k4: "v4" },
      });
    }
  });

  test.each([annotationsPath, metaPath])("UpdateAnnotationsUsingEmptyMap: %s", async (path) => {
    const { id } = await create({ k1: "v1", k2: "v2" });
    const updated = await update(id, [path], { annotations: {} });
    expect(updated.annotations).toEqual({ k1: "v1", k2: "v2" });
    // Also what changes nothing is counted.
    expect(updated.resourceVersion).toBe("1");
  });

  test("TestAnnotationsKeySyntaxOnResourceUpdateWhenAddingKey", async () => {
    const { id } = await create({ [VALID_KEY]: "a" });
    const failed = update(id, [annotationsPath], { annotations: { [INVALID_KEY]: "a" } });
    await expectFailure(failed, "INVALID_ARGUMENT", "has invalid syntax");
  });

  test("TestAnnotationsKeySyntaxOnResourceUpdateEvenWhenDeletingNonExistentKey", async () => {
    const { id } = await create({ [VALID_KEY]: "a" });
    const failed = update(id, [annotationsPath], { annotations: { [INVALID_KEY]: "" } });
    await expectFailure(failed, "INVALID_ARGUMENT", "has invalid syntax");
  });

  test("NotCountingEmptyValuedKeysToTheAnnotationsSizeLimitOnUpdate", async () => {
    const { id } = await create({});
    const value = "x".repeat(LIMIT - 1);
    const updated = await update(id, [annotationsPath], { annotations: { a: value, cc: "" } });
    expect(updated.annotations).toEqual({ a: value });
    const more = update(id, [annotationsPath], { annotations: { b: "1" } });
    expect((await expectFailure(more, tooLarge)).errorCategory).toBe(9);
    // The version is looked at before the size.
    const stale = update(id, [annotationsPath], { annotations: { b: "1" }, resourceVersion: "0" });
    await expectFailure(stale, concurrentUpdate);
  });

  test("TestAnnotationsMaxSizeLimitsWhenUpdatingResource", async () => {
    const { id } = await create({ a: "1" });
    const failed = update(id, [annotationsPath], { annotations: { a: "x".repeat(LIMIT) } });
    await expectFailure(failed, "INVALID_ARGUMENT", "larger than the limit of 256kb");
  });

  test("a version is compared whatever the mask says, and must be a number", async () => {
    const { id } = await create({});
    await update(id, [idPath], {});
    await expectFailure(update(id, [idPath], { resourceVersion: "0" }), concurrentUpdate);
    await update(id, [idPath], { resourceVersion: "1" });
    for (const resourceVersion of ["x", "1.0", "9223372036854775808", " 2"]) {
      const failed = update(id, [idPath], { resourceVersion });
      await expectFailure(failed, "INVALID_FIELD", "Invalid resource version number");
    }
    expect(await read(id)).toMatchObject({ resourceVersion: "2" });
  });
});
