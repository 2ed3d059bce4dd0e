// callsign doctor against each planted mistake: real servers, real databases, nothing changed.

import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { newSigner, startKeyServer } from "../../packages/node/testing/key-server.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { formatSecret } from "../../packages/sv/src/app/onboarding-secret.ts";
import { svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import { CertificateAuthority, type CertificateOptions, writeCertificate } from "../support/certificates.ts";
import { newParticipant } from "../support/participants.ts";
import { sharedDatabase } from "../support/postgres.ts";
import type { PublishedSv } from "../support/published-network.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import {
  type DoctorWorld,
  diagnose,
  LEDGER_AUDIENCE,
  NOBODY,
  OTHER_AUDIENCE,
  startDoctorWorld,
} from "./doctor-world.ts";
import type { Values } from "./setup-kit.ts";

const atEnd = atEndOfFile();
let world: DoctorWorld;

beforeAll(async () => {
  world = await startDoctorWorld(atEnd);
});

const ofParticipant = (change: Values): Values => ({ callsign: { participantAuth: change } });
const urlOf = (place: number) => world.network.svs[place]?.node;

/** A fault, and its fix on the line after it. */
const FAULT = /^FAULT {2}\S.*: .*\n {7}\S.*[^.?][.?]\n$/;

test("a set-up without a mistake has no fault, and the doctor leaves nothing behind", async () => {
  const { exitCode, text, faults } = await diagnose({ files: [world.values] });
  expect([exitCode, faults], text).toEqual([0, []]);
  for (const part of [
    /^ok {5}scanAddress \S+: a scan answers$/m,
    /^ok {5}scan of sv-2 \S+: answers, and knows the same DSO$/m,
    /^ok {5}sequencer of sv-2 \S+: a sequencer answers$/m,
    /^ok {5}migration\.id 0: the network's own$/m,
    /^ok {5}svSponsorAddress \S+: an SV app answers$/m,
    /^ok {5}participant \S+: a participant's ledger API/m,
    /^ok {5}user validator@clients of the participant: has the right ParticipantAdmin$/m,
    /^ok {5}auth\.jwksUrl \S+: 2 of its keys can check tokens$/m,
    /^ok {5}data folder \S+: will be made at the first start, in \S+$/m,
    /^\d+ things looked at, none at fault\.$/m,
  ])
    expect(text).toMatch(part);
  expect(readdirSync(world.folder)).toEqual([]);
});

test.each<[string, () => Values, ...faults: RegExp[]]>([
  [
    "an unreachable scan",
    () => ({ scanAddress: NOBODY }),
    /scanAddress \S+: .*ECONNREFUSED.*\n +Give the address of a scan in scanAddress/,
  ],
  [
    "an unreachable sponsor",
    () => ({ svSponsorAddress: NOBODY }),
    /svSponsorAddress \S+: .*ECONNREFUSED.*\n +Give the address of an SV app in svSponsorAddress/,
  ],
  [
    "an unreachable sequencer",
    () => ({ useSequencerConnectionsFromScan: false, decentralizedSynchronizerUrl: NOBODY }),
    /decentralizedSynchronizerUrl \S+: .*ECONNREFUSED.*\n +Give the address of a sequencer/,
  ],
  [
    "a participant that is not there",
    () => ({ callsign: { participantUrl: NOBODY } }),
    /participant \S+: .*ECONNREFUSED.*\n +Start the participant/,
  ],
  [
    "scan and sponsor swapped",
    () => ({ scanAddress: urlOf(0)?.appUrl, svSponsorAddress: urlOf(0)?.scanUrl }),
    /scanAddress \S+: is answered by an SV app\n.*are two of them swapped\?\n/,
    /svSponsorAddress \S+: is answered by a scan\n.*are two of them swapped\?\n/,
  ],
  [
    "the scan's URL for the sequencer's",
    () => ({ useSequencerConnectionsFromScan: false, decentralizedSynchronizerUrl: urlOf(0)?.scanUrl }),
    /decentralizedSynchronizerUrl \S+: is answered by a scan\n/,
  ],
  [
    "the sequencer's URL for the participant's",
    () => ({ callsign: { participantUrl: urlOf(0)?.sequencerUrl } }),
    /participant \S+: is answered by a sequencer\n +Give the participant's JSON Ledger API/,
  ],
  [
    "an admin API that is a scan",
    () => ({ callsign: { participantAdminUrl: urlOf(0)?.scanUrl } }),
    /admin API \S+: is answered by a scan\n +.*callsign\.participantAdminUrl/,
  ],
  [
    "a server of somebody else",
    () => ({ scanAddress: world.provider.issuer }),
    /scanAddress \S+: is answered by a server that is no part of a network \(status 404\)/,
  ],
  [
    "TLS to a port without it",
    () => ({ callsign: { participantUrl: world.participant.url.replace("http:", "https:") } }),
    /participant \S+: .*does not speak TLS/,
  ],
  [
    "another migration id",
    () => ({ migration: { id: 3 } }),
    /migration\.id 3: the network's is 0\n +Set migration\.id to 0\.\n/,
  ],
  [
    "a wrong OpenID configuration",
    () => ofParticipant({ wellKnownConfigUrl: `${world.provider.issuer}/nothing` }),
    /token for the participant: .*\/nothing answers with status 404\n +Look at the OpenID/,
  ],
  [
    "an OpenID provider that is not there",
    () => ofParticipant({ wellKnownConfigUrl: `${NOBODY}/.well-known/openid-configuration` }),
    /token for the participant: .*does not answer: .*ECONNREFUSED/,
  ],
  [
    "a wrong client secret",
    () => ofParticipant({ clientSecret: "wrong-client-secret" }),
    /token for the participant: .*status 401.*client secret and audience\.\n/s,
  ],
  [
    "an audience that the provider does not know",
    () => ofParticipant({ audience: "https://unknown.acme.example" }),
    /token for the participant: .*status 400.*invalid_target.*client secret and audience\.\n/s,
  ],
  [
    "an audience that the participant does not want",
    () => ofParticipant({ audience: OTHER_AUDIENCE }),
    /user \S+ of the participant: the participant refuses its token \(401\).*\n.*auth\.targetAudience/,
  ],
  [
    "a provider that gives another audience",
    () => ofParticipant({ audience: "https://renamed.acme.example" }),
    /token for the participant: it is for the audience https:\/\/other\S+, and https:\/\/renamed\S+ was asked for\n/,
  ],
  [
    "another user than the token's",
    () => ofParticipant({ user: "somebody" }),
    /token for the participant: .*names the user "validator@clients", but ledger-api-user is "somebody"/,
  ],
  [
    "a key set that is not there",
    () => ({ auth: { jwksUrl: `${NOBODY}/keys` } }),
    /auth\.jwksUrl \S+: .*ECONNREFUSED.*\n +Give the key set of your OpenID provider/,
  ],
  [
    "a key set's address that is another page",
    () => ({ auth: { jwksUrl: world.provider.wellKnownUrl } }),
    /auth\.jwksUrl \S+: its answer is no key set\n/,
  ],
  [
    "top-up arithmetic",
    () => ({ topup: { enabled: true, targetThroughput: 1, minTopupInterval: "1m" } }),
    /topup\.\S+ \(.*values\.yaml:1:\d+\): .*\n +\S/,
  ],
  [
    "a cron expression with a day too many",
    () => ({ participantPruningSchedule: { cron: "0 0 0 40 * ?", maxDuration: "5m", retention: "48h" } }),
    /participantPruningSchedule\.cron .*\n +\S/,
  ],
  [
    "a retention shorter than deduplication",
    () => ({
      participantPruningSchedule: { cron: "0 0 * * * ?", maxDuration: "5m", retention: "1h" },
      deduplicationDuration: "24h",
    }),
    /participantPruningSchedule\.retention .*\n +\S/,
  ],
  [
    "a proxy that is not there",
    () => ({
      additionalJvmOptions: "-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=9",
      scanAddress: "http://scan.acme.example",
      svSponsorAddress: "http://sv.acme.example",
    }),
    /forward proxy 127\.0\.0\.1:9: .*ECONNREFUSED.*\n +See that the proxy runs/,
    /scanAddress \S+: the forward proxy 127\.0\.0\.1:9 cannot be reached.*\n.*mend that first\.\n/,
    /svSponsorAddress \S+: the forward proxy 127\.0\.0\.1:9 cannot be reached.*\n.*mend that first\.\n/,
  ],
])("%s", async (_, change, ...expected) => {
  const { exitCode, faults, text } = await diagnose({ files: [world.values, change()] }, "validator");
  expect(exitCode).toBe(1);
  for (const fault of faults) expect(fault).toMatch(FAULT);
  for (const each of expected) expect(faults, text).toContainEqual(expect.stringMatching(each));
  expect(faults, text).toHaveLength(expected.length);
});

test("one scan that is down hides nothing that the other one tells", async () => {
  const [first, second] = world.network.svs;
  first?.scan.stop();
  const seedUrls = [first?.scan.url, second?.scan.url];
  const scans = { scanAddress: null, scanClient: { scanType: "bft", seedUrls } };
  const { text, faults } = await diagnose({ files: [world.values, scans] });
  first?.scan.resume();
  expect(faults).toEqual([
    expect.stringMatching(/^FAULT {2}scanAddress \S+: /),
    expect.stringMatching(/^FAULT {2}scan of sv-1 .*\n +Fewer than a third of the scans may be missing/),
  ]);
  expect(text).toMatch(/^ok {5}scan of sv-2/m);
  expect(text).toMatch(/^ok {5}migration\.id/m);
});

test("a sponsor of another network", async () => {
  const other = await startSvNodes(1);
  const svSponsorAddress = other.svs[0]?.appUrl;
  const { faults } = await diagnose({ files: [world.values, { svSponsorAddress }] });
  expect(faults).toEqual([
    expect.stringMatching(/network of the sponsor: its DSO is \S+, and that of the scan is \S+\n +Give/),
  ]);
});

test("an onboarding secret of another SV, and one for another party hint", async () => {
  const [{ node }] = world.network.svs as [PublishedSv];
  const sponsor = svPartyOf(node);
  const secretOf = (sponsoringSv: string, partyHint: string | null) =>
    formatSecret({ sponsoringSv, secret: "c2VjcmV0", partyHint });
  const rows: [string, RegExp][] = [
    [
      secretOf("sv-9::1220aa", null),
      /it is of sv-9::1220aa, and the sponsor at this URL is sv-1::\S+\n +Give the URL/,
    ],
    [
      secretOf(sponsor, "umbrella-names-1"),
      /it is good for the party hint umbrella-names-1, and validatorPartyHint is acme/,
    ],
  ];
  for (const [onboardingSecret, expected] of rows) {
    const { faults, text } = await diagnose({ files: [world.values, { callsign: { onboardingSecret } }] });
    expect(faults).toEqual([expect.stringMatching(expected)]);
    expect(text).not.toContain("c2VjcmV0");
  }
  const good = await diagnose({
    files: [world.values, { callsign: { onboardingSecret: secretOf(sponsor, "acme-names-1") } }],
  });
  expect(good.faults).toEqual([]);
});

test("a user without the right ParticipantAdmin", async () => {
  const auth = { kind: "jwks", jwksUrl: world.provider.jwksUrl, audience: LEDGER_AUDIENCE } as const;
  const { url } = await newParticipant([], { auth, adminUsers: ["somebody"] });
  const { faults } = await diagnose({ files: [world.values, { callsign: { participantUrl: url } }] });
  expect(faults).toEqual([
    expect.stringMatching(
      /user \S+ of the participant: it is unknown .*\n +Name this user as the participant's admin/,
    ),
  ]);
});

test("a key set without a key that can check tokens", async () => {
  const { publicJwk } = await newSigner();
  const { kid: _, ...nameless } = publicJwk;
  const { url } = await startKeyServer([nameless, { ...publicJwk, alg: "HS256" }]);
  const { faults } = await diagnose({ files: [world.values, { auth: { jwksUrl: url } }] });
  expect(faults).toEqual([expect.stringMatching(/auth\.jwksUrl \S+: it holds no public key with a key id/)]);
});

test("clocks: one server's, and this machine's if several servers agree", async () => {
  const shifted = async (target: string | undefined, seconds: number) => {
    const { url, close } = await listen(async (request, response) => {
      const answer = await fetch(`${target}${request.url}`);
      response.sendDate = false;
      response.setHeader("date", new Date(Date.now() + 1000 * seconds).toUTCString());
      response.writeHead(answer.status).end(await answer.text());
    });
    onTestFinished(close);
    return url;
  };
  const svSponsorAddress = await shifted(urlOf(0)?.appUrl, -90);
  const one = await diagnose({ files: [world.values, { svSponsorAddress }] });
  expect(one.faults).toEqual([
    expect.stringMatching(
      /clock of svSponsorAddress \S+: its clock is [89]\d seconds behind this machine's\n +Synch/,
    ),
  ]);
  const scanAddress = await shifted(urlOf(0)?.scanUrl, -90);
  const both = await diagnose({ files: [world.values, { svSponsorAddress, scanAddress }] });
  expect(both.faults).toEqual([
    expect.stringMatching(
      /clock of this machine: it is [89]\d seconds ahead of the clocks of 2 servers\n +Synch/,
    ),
  ]);
});

test("certificates: of an unknown authority, expired, for another name; files that do not fit", async () => {
  const folder = temporaryFolder();
  const [authority, unknown] = [await CertificateAuthority.create(), await CertificateAuthority.create()];
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  const at = async (from: CertificateAuthority, options: CertificateOptions = {}) => {
    const { certificate: cert, privateKey: key } = await from.issue("participant", options);
    const server = createServer({ cert, key }, (_, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const yesterday = new Date(Date.now() - 3_600_000);
  const rows: [string, RegExp][] = [
    [
      await at(unknown),
      /is not trusted: no authority in \S+ca\.crt .*\n +Have the server show .*trustCollectionFile/,
    ],
    [await at(authority, { notAfter: yesterday }), /has expired\n +Ask the server's operator/],
    [
      await at(authority, { names: ["other.example"] }),
      /is for other names: .*\n +Ask the server's operator/,
    ],
  ];
  for (const [participantUrl, expected] of rows) {
    const callsign = { participantUrl, participantTls: { trustCollectionFile } };
    const { faults } = await diagnose({ files: [world.values, { callsign }] });
    expect(faults).toEqual([expect.stringMatching(expected)]);
  }
  const own = writeCertificate(folder, await authority.issue("validator"));
  const other = writeCertificate(folder, await authority.issue("validator"), "other");
  const mixed = { ...own, privateKeyFile: other.privateKeyFile };
  const scan = await diagnose({ files: [world.values, { scanAddress: rows[0]?.[0] }] });
  expect(scan.faults).toEqual([
    expect.stringMatching(/no authority of this machine .*\n.*NODE_EXTRA_CA_CERTS\.\n/),
  ]);
  const callsign = {
    tls: { api: mixed },
    participantTls: { ...mixed, trustCollectionFile: join(folder, "none.crt") },
  };
  const { faults } = await diagnose({
    files: [world.values, { callsign: { ...callsign, participantUrl: rows[0]?.[0] } }],
  });
  expect(faults).toEqual([
    expect.stringMatching(/callsign\.participantTls: .*none\.crt.*does not fit.*\n +Give other files/s),
    expect.stringMatching(/TLS of port 5003: .*does not fit the certificate.*\n +Give other files/s),
  ]);
});

test("a database that is missing is not made; a wrong password, no server, and tables of another program", async (context) => {
  const config = await sharedDatabase(undefined, context);
  const { host, port, user, password, database, schema } = config;
  const secrets = { "postgres-secrets/postgresPassword": password };
  const persistence = { host, port, user, databaseName: database, schema };
  const files = [world.values, { persistence }];
  for (const _ of [1, 2]) {
    const missing = await diagnose({ files, secrets });
    expect([missing.faults, missing.text]).toEqual([[], expect.stringMatching(/the database will be made/)]);
  }
  const wrong = await diagnose({ files, secrets: { "postgres-secrets/postgresPassword": "wrong-password" } });
  expect(wrong.faults).toEqual([
    expect.stringMatching(/database \S+ at \S+: .*the password is wrong.*\n +Look at/),
  ]);
  expect(wrong.text).not.toContain("wrong-password");
  const gone = await diagnose({ files: [...files, { persistence: { port: 9 } }], secrets });
  expect(gone.faults).toEqual([expect.stringMatching(/database \S+ at \S+:9: .*ECONNREFUSED.*\n +Look at/)]);
  const foreign = { ...persistence, databaseName: "postgres", schema: "pg_catalog" };
  const taken = await diagnose({ files: [world.values, { persistence: foreign }], secrets });
  expect(taken.faults).toEqual([
    expect.stringMatching(/database postgres at \S+: .*pg_catalog.*\n +Look at/),
  ]);
  const nobody = await diagnose({ files });
  expect(nobody.faults).toEqual([
    expect.stringMatching(/persistence\.password: is missing\n +Mount postgres-secrets/),
  ]);
});

test("a data folder whose place a file has, and one on a full or read-only disk", async (context) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  for (const name of ["file", "file/data"]) {
    const dataFolder = join(folder, name);
    const { faults } = await diagnose({ files: [world.values, { callsign: { dataFolder } }] });
    expect(faults).toEqual([
      expect.stringMatching(/data folder \S+: a file is in its place\n +Give a folder/),
    ]);
  }
  const disk = SmallDisk.mount(1, context);
  disk.fill();
  const before = readdirSync(disk.folder);
  const files = [world.values, { callsign: { dataFolder: join(disk.folder, "data") } }];
  expect((await diagnose({ files })).faults).toEqual([
    expect.stringMatching(/data folder \S+: ENOSPC.*\n +Give a folder/),
  ]);
  expect(readdirSync(disk.folder)).toEqual(before);
  disk.lock();
  expect((await diagnose({ files })).faults).toEqual([
    expect.stringMatching(/data folder \S+: EROFS.*\n +Give a folder/),
  ]);
});

test("a participant's configuration is known by its keys, and looked at in the same way", async () => {
  const values = {
    nodeIdentifier: "acme-names-1",
    auth: { jwksUrl: world.provider.jwksUrl, targetAudience: LEDGER_AUDIENCE },
    participantAdminUserNameFrom: { secretKeyRef: { name: "auth", key: "user" } },
    callsign: { dataFolder: join(world.folder, "participant"), sequencers: world.network.sequencerUrls() },
  };
  const secrets = { "auth/user": "validator@clients" };
  const good = await diagnose({ files: [values], secrets });
  expect([good.exitCode, good.faults], good.text).toEqual([0, []]);
  expect(good.text).toMatch(/^ok {5}callsign\.sequencers \S+: a sequencer answers$/m);
  const change = { auth: { jwksUrl: `${NOBODY}/keys` }, callsign: { sequencers: world.network.scanUrls() } };
  const { exitCode, faults } = await diagnose({ files: [values, change], secrets });
  expect([exitCode, faults]).toEqual([
    1,
    [
      expect.stringMatching(/auth\.jwksUrl/),
      expect.stringMatching(/callsign\.sequencers \S+: is answered by a scan/),
      expect.stringMatching(/callsign\.sequencers \S+: is answered by a scan/),
    ],
  ]);
  expect(readdirSync(world.folder)).toEqual([]);
});

test("a configuration that cannot be read is told whole, and nothing else is looked at", async () => {
  const change = { scanAddress: "scan.acme.example", migration: { id: "x" }, enableWallet: "maybe" };
  const { exitCode, faults, text } = await diagnose({ files: [world.values, change] });
  expect(exitCode).toBe(1);
  for (const key of ["scanAddress", "migration.id", "enableWallet"])
    expect(faults).toContainEqual(expect.stringContaining(`FAULT  ${key} (`));
  expect(text).toMatch(/servers and files: not looked at\n +Mend the configuration first\.\n/);
  expect(text).not.toMatch(/^ok/m);
});
