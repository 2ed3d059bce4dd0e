/**
 * PATCH /v2/parties/{party}: PartyManagementServiceUpdateRpcIT, whose test names are the titles. The order of the checks has a
 * file of its own.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { call } from "../participant/call.ts";
import { fresh } from "../support/fresh.ts";
import { ADMIN, type LedgerClient, newParticipant } from "../support/participants.ts";
import { expectFailure, failureIn } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile({});
async function allocate(more: object = {}): Promise<string> {
  const { partyDetails } = await ledger.admin.allocateParty({ body: { partyIdHint: fresh("p"), ...more } });
  return partyDetails.party;
}

function patch(party: string, paths: string[], details: object = {}) {
  const body = { partyDetails: { party, ...details }, updateMask: { paths } };
  return ledger.admin.updatePartyDetails({ params: { party }, body });
}

const urlOf = (party: string) => `${ledger.participant.url}/v2/parties/${encodeURIComponent(party)}`;

describe("PartyManagementServiceUpdateRpcIT", () => {
  test("PMUpdateAllUpdatableFields", async () => {
    const party = await allocate({ localMetadata: { annotations: { k1: "v1", k2: "v2", k3: "v3" } } });
    const annotations = { k1: "v1a", k3: "", k4: "v4", k5: "" };
    const { partyDetails } = await patch(party, ["local_metadata.annotations"], {
      localMetadata: { annotations },
    });
    expect(partyDetails).toEqual({
      party,
      isLocal: true,
      localMetadata: { resourceVersion: "1", annotations: { k1: "v1a", k2: "v2", k4: "v4" } },
      identityProviderId: "",
    });
    const read = await ledger.admin.getParties({ params: { party } });
    expect(read.partyDetails).toEqual([partyDetails]);
  });

  test("PMFailAttemptingToUpdateIsLocal", async () => {
    const party = await allocate();
    const failed = patch(party, ["is_local"], { isLocal: false });
    const failure = await expectFailure(failed, "INVALID_PARTY_DETAILS_UPDATE_REQUEST", "'is_local'");
    expect(failure.resources).toEqual([["PARTY", party]]);
  });

  test("PMAllowSpecifyingIsLocalAndDisplayNameIfMatchingTheRealValues", async () => {
    const party = await allocate({ localMetadata: { annotations: { k1: "v1" } } });
    const { partyDetails } = await patch(party, ["is_local"], { isLocal: true });
    expect(partyDetails).toEqual({
      party,
      isLocal: true,
      localMetadata: { resourceVersion: expect.any(String), annotations: { k1: "v1" } },
      identityProviderId: "",
    });
  });

  test("UpdatePartyDetailsEvenIfMetadataIsNotSetInUpdateRequest", async () => {
    const party = await allocate();
    const { partyDetails } = await patch(party, ["party"]);
    expect(partyDetails).toMatchObject({ isLocal: true, localMetadata: { annotations: {} } });
  });

  test("FailingUpdateRequestsWhenPartyDetailsFieldIsUnset", async () => {
    const party = await allocate();
    const body = { updateMask: { paths: ["party"] } };
    const failure = failureIn(await call(urlOf(party), { method: "PATCH", user: ADMIN, body }));
    expect(failure.code).toBe("INVALID_ARGUMENT");
    expect(failure.cause).toContain(`${party} does not match party in body`);
  });

  test("FailUpdateNonExistentParty", async () => {
    const failed = patch("unknown::1220ab", ["local_metadata.annotations"], {
      localMetadata: { annotations: { k: "v" } },
    });
    const failure = await expectFailure(failed, "PARTY_NOT_FOUND", "Party: 'unknown::1220ab' was not found");
    expect([failure.status, failure.errorCategory]).toEqual([404, 11]);
  });
});

describe("the mask", () => {
  const annotations = { k: "v" };

  test.each([
    ["party", {}],
    ["identity_provider_id", {}],
    ["local_metadata.resource_version", {}],
    ["local_metadata", annotations],
    ["local_metadata.annotations", annotations],
  ])("%s takes %j", async (path, expected) => {
    const party = await allocate();
    const { partyDetails } = await patch(party, [path], { localMetadata: { annotations } });
    expect(partyDetails.localMetadata).toEqual({ resourceVersion: "1", annotations: expected });
  });
});

describe("a party that the participant knows from its network only", () => {
  const [here, elsewhere, kept] = ["here::1220ab", "elsewhere::1220ab", "kept::1220ab"];

  /** A participant whose store has such parties: one local, two not, of which one has a record from earlier. */
  async function participantWithParties(): Promise<LedgerClient> {
    const dataFolder = temporaryFolder();
    const unconnected = ["http://127.0.0.1:9"];
    const before = await newParticipant(unconnected, { ...OPEN, dataFolder });
    await before.close();
    const database = new DatabaseSync(join(dataFolder, "participant.sqlite"));
    for (const [party, isLocal] of [
      [here, 1],
      [elsewhere, 0],
      [kept, 0],
    ] as const) {
      database.prepare("insert into party (party, is_local) values (?, ?)").run(party, isLocal);
    }
    database.prepare("insert into party_record values (?, '', 4, '{}')").run(kept);
    database.close();
    return (await newParticipant(unconnected, { ...OPEN, dataFolder })).as(null);
  }

  const annotate = (client: LedgerClient, party: string, resourceVersion: string) =>
    client.updatePartyDetails({
      params: { party },
      body: {
        partyDetails: { party, localMetadata: { resourceVersion, annotations: { k: "v", gone: "" } } },
        updateMask: { paths: ["local_metadata"] },
      },
    });

  test("gets a record if it is local, whatever version is given", async () => {
    const client = await participantWithParties();
    const { partyDetails: before } = await client.getParties({ params: { party: here } });
    expect(before).toEqual([
      {
        party: here,
        isLocal: true,
        localMetadata: { resourceVersion: "", annotations: {} },
        identityProviderId: "",
      },
    ]);
    const { partyDetails } = await annotate(client, here, "99");
    expect(partyDetails.localMetadata).toEqual({ resourceVersion: "0", annotations: { k: "v" } });
  });

  test("is not found if it is not local and has no record, and is changed if it has one", async () => {
    const client = await participantWithParties();
    await expectFailure(annotate(client, elsewhere, ""), "PARTY_NOT_FOUND");
    const { partyDetails } = await annotate(client, kept, "4");
    expect(partyDetails).toEqual({
      party: kept,
      isLocal: false,
      localMetadata: { resourceVersion: "5", annotations: { k: "v" } },
      identityProviderId: "",
    });
  });
});
