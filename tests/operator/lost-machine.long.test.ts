// A machine is lost with everything on it but an export of the participant's identity: the node comes back with its parties,
// contracts, coin and names.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, ledgerApi } from "@callsign/api";
import { silentLog, systemHost } from "@callsign/node";
import { importIdentity } from "@callsign/participant";
import { startValidator } from "@callsign/validator";
import { beforeAll, expect, test } from "vitest";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { parseIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { runWith } from "../cli/run-here.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { validatorClient } from "../support/network-clients.ts";
import { newParticipant } from "../support/participants.ts";
import { STORE_KINDS, type StoreKind, storeIn } from "../support/postgres.ts";

const HINT = "acme-validator-1";
let network: LocalNetwork;

beforeAll(async () => {
  network = await LocalNetwork.start();
  atEndOfFile()(() => network.close());
});

/** A participant with its validator, in folders or databases of their own. */
async function startNode(kind: StoreKind, folder: string, users: readonly string[], secret?: string) {
  const { svs, serviceToken } = network.net;
  const place = async (role: string) => ({
    dataFolder: join(folder, role),
    ...(await storeIn(join(folder, role), kind)),
  });
  const participant = await newParticipant(
    svs.map(({ sequencerUrl }) => sequencerUrl),
    { ...(await place("participant")), nodeIdentifier: HINT, auth: AUTH, adminUsers: [SERVICE_USER] },
  );
  const startOwnValidator = async () => {
    const validator = await startValidator({
      ...(await place("validator")),
      ...{ host: "127.0.0.1", port: 0, participantUrl: participant.url, auth: AUTH, log: silentLog },
      scans: svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
      serviceUser: { userId: SERVICE_USER, token: () => serviceToken },
      ...{ walletUsers: users, operatorPartyHint: HINT, pausedAutomations: ["record-liveness"] },
      ...(secret === undefined ? {} : { onboarding: { svUrl: `${svs[0]?.appUrl}/api/sv`, secret } }),
    });
    await until(() => validator.missing() === null, "the validator is ready", 60_000);
    return validator;
  };
  const wallet = async (url: string, user: string) => validatorClient(url, await makeToken(user));
  const admin = createClient(ledgerApi, { fetch, baseUrl: participant.url, token: () => serviceToken });
  return { participant, admin, startOwnValidator, wallet };
}

/** `callsign identity export` of the running participant. */
async function exportIdentity(kind: StoreKind, folder: string): Promise<string> {
  const dataFolder = join(folder, "participant");
  const { database } = await storeIn(dataFolder, kind);
  const file = join(folder, "exported.json");
  const persistence =
    database === undefined
      ? {}
      : {
          persistence: {
            ...{ host: database.host, port: database.port, user: database.user, schema: database.schema },
            databaseName: database.database,
          },
        };
  const { exitCode, said } = await runWith(["identity", "export", "--to", file], {
    files: [
      {
        nodeIdentifier: HINT,
        auth: { jwksUrl: "http://127.0.0.1:9/keys", targetAudience: "https://ledger.acme.example" },
        callsign: { dataFolder, adminUser: SERVICE_USER },
        ...persistence,
      },
    ],
    secrets: { "postgres-secrets/postgresPassword": database?.password ?? "none" },
  });
  expect([exitCode, said]).toEqual([0, expect.stringContaining(`The identity of ${HINT}::1220`)]);
  return readFileSync(file, "utf8");
}

test.each(STORE_KINDS)(
  "%s: an identity alone brings a participant and its validator back",
  {
    timeout: 120_000,
  },
  async (kind) => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    const secret = await network.sv().devNetOnboardValidatorPrepare();
    const before = await startNode(kind, first, ["alice", "bob"], secret);
    // Bob has a party of his own, Alice that of the operator.
    const ledger = before.admin;
    await until(() => before.participant.isReady(), "the participant is ready", 60_000);
    const bobsParty = (await ledger.allocateParty({ body: { partyIdHint: "bob" } })).partyDetails.party;
    const makeBob = (on: typeof ledger) =>
      on.createUser({
        body: {
          user: { id: "bob", primaryParty: bobsParty },
          rights: [{ kind: { CanActAs: { value: { party: bobsParty } } } }],
        },
      });
    await makeBob(ledger);
    const lostValidator = await before.startOwnValidator();
    const names: string[] = [];
    for (const user of ["alice", "bob"]) {
      const wallet = await before.wallet(lostValidator.url, user);
      await wallet.tap({ body: { amount: "10" } });
      names.push(await network.buy(wallet, `${user}-${kind.toLowerCase()}`));
    }
    const alice = await before.wallet(lostValidator.url, "alice");
    const { party_id: operator } = await alice.userStatus();
    const balance = await alice.getBalance();
    await before.participant.keys.rotate({ replaceUnknown: false });
    const exported = await exportIdentity(kind, first);
    await lostValidator.close();
    await before.participant.close();

    const dataFolder = join(second, "participant");
    const identity = parseIdentity(JSON.parse(exported));
    if (identity === null) throw new Error("the export is no identity");
    const config = { dataFolder, nodeIdentifier: HINT, ...(await storeIn(dataFolder, kind)) };
    await importIdentity(config, identity, { host: systemHost, log: silentLog });
    const after = await startNode(kind, second, ["alice", "bob"]);
    expect(after.participant.participantId).toBe(before.participant.participantId);
    expect((await after.admin.listUsers()).users?.map(({ id }) => id)).toEqual([
      SERVICE_USER,
      "participant_admin",
    ]);
    await makeBob(after.admin);
    // The validator does not wait until the stream is read.
    const validator = await after.startOwnValidator();
    const [aliceAgain, bobAgain] = [
      await after.wallet(validator.url, "alice"),
      await after.wallet(validator.url, "bob"),
    ];
    expect((await aliceAgain.userStatus()).party_id).toBe(operator);
    expect((await bobAgain.userStatus()).party_id).toBe(bobsParty);
    expect(await aliceAgain.getBalance()).toEqual(balance);
    for (const [name, owner] of [
      [names[0] ?? "", operator],
      [names[1] ?? "", bobsParty],
    ] as const)
      expect(await network.owner(name)).toBe(owner);
    const { expires_at } = (await network.scan().lookupAnsEntryByName({ params: { name: names[0] ?? "" } }))
      .entry;

    // Both names are renewed by the validator that came back.
    await network.forward(61);
    await until(
      async () => {
        const { entry } = await network.scan().lookupAnsEntryByName({ params: { name: names[0] ?? "" } });
        return entry.expires_at !== expires_at;
      },
      "the name is renewed",
      60_000,
    );
    await network.forward(31);
    await network.settle();
    expect(await network.owner(names[0] ?? "")).toBe(operator);
    expect(await network.owner(names[1] ?? "")).toBe(bobsParty);
  },
);
