// The fixtures with every key start as processes on PostgreSQL with OpenID tokens, and no planted secret shows in their output.

import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { openHttpClient } from "../../packages/node/src/http-client/http-client.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  newPrivateKeys,
  type OpenIdProvider,
  secretOf,
  startOpenIdProvider,
  VALIDATOR_CLIENT,
} from "../auth/openid-provider.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";
import { Child } from "../support/child-process.ts";
import { sharedDatabase } from "../support/postgres.ts";
import {
  ONBOARDING_SECRET,
  type PublishedNetwork,
  startPublishedNetwork,
} from "../support/published-network.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { type Values, writeParts } from "./setup-kit.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const FIXTURES = join(import.meta.dirname, "fixtures");
const LEDGER_AUDIENCE = "https://ledger.acme.example";
const USER = `${VALIDATOR_CLIENT}@clients`;
const MINUTE = 60_000;

const PLANTED = {
  databasePassword: "planted-database-password",
  wrongClientSecret: "planted-wrong-client-secret",
  staticToken: "planted.static.token",
  onboardingSecret: ONBOARDING_SECRET,
  clientSecret: secretOf(VALIDATOR_CLIENT),
};

const atEnd = atEndOfFile();
let network: PublishedNetwork;
let provider: OpenIdProvider;
let database: TcpProxy;
let privateKey: string;
let tls: { readonly certChainFile: string; readonly privateKeyFile: string; readonly ca: string };
const children: Child[] = [];

beforeAll(async () => {
  network = await startPublishedNetwork(atEnd, 3);
  provider = await startOpenIdProvider(
    {
      keys: await newPrivateKeys(),
      resources: { [LEDGER_AUDIENCE]: { audience: LEDGER_AUDIENCE, alg: "RS256", seconds: 600 } },
    },
    atEnd,
  );
  const { host, port, user, password } = await sharedDatabase();
  database = await TcpProxy.start(port, atEnd);
  const client = new pg.Client({ host, port, user, password, database: "postgres" });
  await client.connect();
  await client.query(`create role planted login createdb password '${PLANTED.databasePassword}'`);
  await client.end();
  const folder = temporaryFolder(atEnd);
  const authority = await CertificateAuthority.create();
  const pair = await authority.issue("participant");
  privateKey = pair.privateKey;
  const ca = join(folder, "ca.crt");
  writeFileSync(ca, authority.certificate);
  tls = { ...writeCertificate(folder, pair), ca };
}, 2 * MINUTE);

const SECRETS = {
  "postgres-secrets/postgresPassword": PLANTED.databasePassword,
  "splice-app-validator-onboarding-validator/secret": PLANTED.onboardingSecret,
  "splice-app-validator-ledger-api-auth/ledger-api-user": USER,
  "splice-app-validator-ledger-api-auth/client-id": VALIDATOR_CLIENT,
  "splice-app-validator-ledger-api-auth/client-secret": PLANTED.clientSecret,
  "splice-app-validator-ledger-api-auth/audience": LEDGER_AUDIENCE,
  "splice-app-validator-ledger-api-auth/scope": "daml_ledger_api",
  "splice-app-validator-ledger-api-auth/token": PLANTED.staticToken,
};

/** The addresses of the fixtures are those of an example: here they are local ones. */
function local(change: Values): Values {
  return {
    persistence: {
      ...{ host: "127.0.0.1", port: database.port, user: "planted" },
      databaseName: `t${randomUUID().replaceAll("-", "")}`,
    },
    additionalJvmOptions: "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9",
    auth: { jwksUrl: provider.jwksUrl },
    logLevelStdout: "DEBUG",
    ...change,
  };
}

const PORTS = { port: 0, healthPort: 0, metricsPort: 0 };

/** The role's process, and the addresses that it prints. */
async function start(
  role: string,
  fixtures: readonly string[],
  change: Values,
  secrets: Readonly<Record<string, string>> = {},
) {
  const { source } = writeParts({ files: [local(change)], secrets: { ...SECRETS, ...secrets } });
  const files = [...fixtures.map((name) => join(FIXTURES, `${name}.yaml`)), ...source.files];
  const secretsFolder = source.secretsFolder ?? "";
  const folder = temporaryFolder(atEnd);
  const child = new Child(
    ...[MAIN, role, ...files.flatMap((file) => ["-f", file]), "--secrets", secretsFolder],
    ...["--set", `callsign.dataFolder=${folder}`],
  );
  atEnd(() => child.kill());
  children.push(child);
  const output = await child.said(4);
  expect(output).toMatch(new RegExp(`^callsign ${role} listens\n`));
  const addressOf = (what: string) => new RegExp(`^  ${what}: (\\S+)$`, "m").exec(output)?.[1] ?? "";
  return {
    child,
    health: addressOf("health"),
    url: addressOf(role === "validator" ? "validator API" : "JSON Ledger API"),
  };
}

function validatorValues(participantUrl: string): Values {
  const [first, second] = network.svs;
  return {
    svSponsorAddress: first?.node.appUrl,
    migration: { id: "0" },
    scanClient: { seedUrls: [first?.scan.url, second?.scan.url] },
    callsign: {
      ...PORTS,
      participantUrl,
      participantTls: { trustCollectionFile: tls.ca },
      participantAuth: { wellKnownConfigUrl: provider.wellKnownUrl },
    },
  };
}

const notReady = async (health: string) => {
  const answer = await fetch(`${health}/readyz`);
  return answer.status === 200 ? null : (answer.headers.get("x-callsign-missing") ?? "");
};

test(
  "participants and validators start from every fixture, name keys without an effect once, and show no secret",
  async () => {
    const api = { certChainFile: tls.certChainFile, privateKeyFile: tls.privateKeyFile };
    const participant = await start("participant", ["participant-every-key"], {
      callsign: { ...PORTS, tls: { api } },
    });
    const whole = await start("validator", ["validator-every-key"], validatorValues(participant.url));
    await until(async () => (await notReady(whole.health)) === null, "the validator is ready", MINUTE);
    expect(await notReady(participant.health)).toBe(null);
    for (const { child } of [participant, whole])
      expect(child.errors.match(/"key":"imageRepo"/g)).toHaveLength(1);

    const plain = await start("participant", ["participant-seed-keys"], { callsign: PORTS });
    const { scanClient: _, ...values } = validatorValues(participant.url);
    const [first] = network.svs;
    const seed = { ...values, scanAddress: first?.scan.url };
    const fixed = await start("validator", ["validator-seed-keys"], { ...seed, fixedTokens: true });
    const older = await start(
      "validator",
      ["validator-every-key", "validator-older-keys"],
      { ...seed, decentralizedSynchronizerUrl: first?.sequencer.url },
      { "splice-app-validator-ledger-api-auth/client-secret": PLANTED.wrongClientSecret },
    );
    expect(await notReady(plain.health)).toMatch(/sequencer/);
    await until(
      async () => /token|401|participant/.test((await notReady(fixed.health)) ?? ""),
      "the token is refused",
    );
    await until(() => older.child.errors.includes("there is no new token"), "the client secret is refused");

    // Calls that fail: with a wrong token, and while the database is gone.
    const { fetch: call } = openHttpClient(systemHost, { tls: { trustCollectionFile: tls.ca } });
    const headers = { authorization: `Bearer ${PLANTED.staticToken}` };
    expect((await call(`${participant.url}/v2/users`, { headers })).status).toBe(401);
    expect((await call(`${whole.url}/v0/wallet/balance`, { headers })).status).toBe(401);
    database.isDown = true;
    database.cutAll();
    await until(async () => (await notReady(participant.health)) !== null, "the database is missed", MINUTE);
    const token = await provider.token("backend", LEDGER_AUDIENCE);
    await call(`${participant.url}/v2/users`, { headers: { authorization: `Bearer ${token}` } });
    database.isDown = false;
    await until(async () => (await notReady(participant.health)) === null, "it is back", MINUTE);

    const ends = await Promise.all(children.map((child) => child.stop("SIGTERM")));
    expect(ends.map(({ code }) => code)).toEqual(children.map(() => 0));
    const written = ends.map(({ output, errors }) => output + errors).join("");
    expect(written).toContain('"level":20');
    const keyLines = privateKey.split("\n").filter((line) => line.length > 30 && !line.startsWith("-----"));
    for (const text of [...Object.values(PLANTED), ...keyLines, token])
      for (const form of [
        text,
        encodeURIComponent(text),
        Buffer.from(text).toString("base64"),
        JSON.stringify(text),
      ])
        expect(written.includes(form), `"${form.slice(0, 12)}…" shows`).toBe(false);
  },
  5 * MINUTE,
);
