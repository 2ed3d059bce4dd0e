/** The admin of an identity provider cannot take over parties and names of others. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ADMIN, newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { expectDenied, expectFailure } from "./failure.ts";
import { IDP_ADMIN, startIdentityProvider } from "./identity-providers.ts";

const UNCONNECTED = ["http://127.0.0.1:9"];
const PARTY = "left-alone::1220ab";

/** A participant that knows a local party from its network, and has no record of it yet. */
async function participantWithParty(): Promise<TestParticipant> {
  const dataFolder = temporaryFolder();
  await (await newParticipant(UNCONNECTED, { dataFolder })).close();
  const database = new DatabaseSync(join(dataFolder, "participant.sqlite"));
  database.prepare("insert into party (party, is_local) values (?, 1)").run(PARTY);
  database.close();
  return newParticipant(UNCONNECTED, { dataFolder });
}

test("a party without a record is the default identity provider's, and no other one's to take", async () => {
  const participant = await participantWithParty();
  const provider = await startIdentityProvider(participant, "tenant", onTestFinished);
  const tenant = await provider.addUser("tenant-admin", [IDP_ADMIN]);
  const patch = (identityProviderId: string) => ({
    params: { party: PARTY },
    body: { partyDetails: { party: PARTY, identityProviderId }, updateMask: { paths: ["party"] } },
  });
  await expectDenied(tenant.updatePartyDetails(patch("")));
  await expectDenied(tenant.updatePartyDetails(patch("tenant")));
  await expectDenied(participant.admin.updatePartyDetails(patch("tenant")));
  const rights = [{ kind: { CanActAs: { value: { party: PARTY } } } }];
  await expectFailure(
    tenant.createUser({ body: { user: { id: "thief" }, rights } }),
    "UNKNOWN_RESOURCE",
    PARTY,
  );
  const { partyDetails } = await participant.admin.updatePartyDetails(patch(""));
  expect(partyDetails).toMatchObject({ identityProviderId: "", localMetadata: { resourceVersion: "0" } });
});

test("a user that the operator names as admin gets no rights if it belongs to an identity provider", async () => {
  const dataFolder = temporaryFolder();
  const before = await newParticipant(UNCONNECTED, { dataFolder });
  const provider = await startIdentityProvider(before, "tenant", onTestFinished);
  const tenant = await provider.addUser("tenant-admin", [IDP_ADMIN]);
  await tenant.createUser({ body: { user: { id: "operator" }, rights: [] } });
  await before.close();
  const participant = await newParticipant(UNCONNECTED, { dataFolder, adminUsers: [ADMIN, "operator"] });
  await expectDenied(provider.client("operator", participant.url).listIdentityProviderConfigs());
  const { users } = await participant.admin.listUsers();
  expect(users.map(({ id }) => id)).toEqual([ADMIN, "participant_admin"]);
});

test("a party whose making was cut short is ended for the identity provider that began it, and no other", async () => {
  const { sequencers } = await startSvNodes();
  const dataFolder = temporaryFolder();
  const before = await newParticipant(sequencers, { dataFolder });
  const [first, second] = [
    await startIdentityProvider(before, "first", onTestFinished),
    await startIdentityProvider(before, "second", onTestFinished),
  ];
  await ready(before);
  const begun = await first.addUser("first-admin", [IDP_ADMIN]);
  await second.addUser("second-admin", [IDP_ADMIN]);
  const { partyDetails } = await begun.allocateParty({ body: { partyIdHint: "cut-short" } });
  await before.close();
  // As a kill leaves it, once the network hosts the party and before its record is written.
  const database = new DatabaseSync(join(dataFolder, "participant.sqlite"));
  database.prepare("delete from party_record where party = ?").run(partyDetails.party);
  database.prepare("insert into party_allocation values (?, '', 1)").run(partyDetails.party);
  database.prepare("insert into party_allocation_provider values (?, 'first')").run(partyDetails.party);
  database.close();
  const participant = await newParticipant(sequencers, { dataFolder });
  await ready(participant);
  const allocate = { body: { partyIdHint: "cut-short" } };
  for (const client of [second.client("second-admin", participant.url), participant.admin]) {
    await expectFailure(client.allocateParty(allocate), "INVALID_ARGUMENT", "Party already exists");
  }
  const again = first.client("first-admin", participant.url).allocateParty(allocate);
  expect(await again).toEqual({ partyDetails });
});
