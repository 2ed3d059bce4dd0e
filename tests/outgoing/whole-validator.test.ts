// A participant and a validator whose every call leaves through a forward proxy: to scan, SV, sequencer, key sets, OpenID
// provider and the participant itself, which demands a client certificate on both of its ports. The validator has its
// tokens from a real OpenID provider.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  describeServer,
  explainWrongServer,
  formatServer,
  type Host,
  openTokenSource,
  systemHost,
  withOutgoing,
} from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import { startValidator, type Validator } from "@callsign/validator";
import { beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { startForwardProxy, type TestProxy } from "../../packages/node/testing/forward-proxy.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { openParticipantAdmin } from "../../packages/validator/src/ledger/participant-admin.ts";
import {
  newPrivateKeys,
  type OpenIdProvider,
  secretOf,
  startOpenIdProvider,
  VALIDATOR_CLIENT,
} from "../auth/openid-provider.ts";
import { Sponsor } from "../onboarding/sponsor.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";

const AUDIENCE = "https://ledger_api.example.com";
const USER = `${VALIDATOR_CLIENT}@clients`;
const SCHEDULE = { cron: "0 0 3 * * ?", maxDuration: "5m", retention: "48h" };
const atEnd = atEndOfFile();
let proxy: TestProxy;
let host: Host;
let sponsor: Sponsor;
let provider: OpenIdProvider;
let certificates: Awaited<ReturnType<typeof writeCertificates>>;
let participant: Participant;
let validator: Validator;

beforeAll(async () => {
  proxy = await startForwardProxy(atEnd);
  const { address } = proxy;
  host = withOutgoing(systemHost, { proxy: { http: address, https: address, nonProxyHosts: [] } });
  certificates = await writeCertificates();
  const resources = { [AUDIENCE]: { audience: AUDIENCE, alg: "ES256", seconds: 600 } } as const;
  provider = await startOpenIdProvider({ keys: await newPrivateKeys(), resources }, atEnd);
  sponsor = await Sponsor.start({ atEnd, app: { expectedSecrets: ["a-secret"] } });
  participant = await openParticipant();
  validator = await openValidator();
  await until(() => validator.isReady(), "the validator is ready");
});

async function writeCertificates() {
  const folder = temporaryFolder(atEnd);
  const authority = await CertificateAuthority.create();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, authority.certificate);
  const server = writeCertificate(folder, await authority.issue("participant"), "participant");
  const certificate = writeCertificate(folder, await authority.issue("validator"), "validator");
  return {
    server: { ...server, trustCollectionFile, clientAuth: { type: "require" } },
    client: { trustCollectionFile, certificate },
  } as const;
}

const auth = () => ({ kind: "jwks", jwksUrl: provider.jwksUrl, audience: AUDIENCE }) as const;
const common = () => ({ host: "127.0.0.1", port: 0, auth: auth(), log: silentLog });

async function openParticipant(): Promise<Participant> {
  const { server: tls } = certificates;
  const started = await startParticipant({
    ...common(),
    tls,
    admin: { host: "127.0.0.1", port: 0, tls },
    dataFolder: temporaryFolder(atEnd),
    nodeIdentifier: "participant",
    sequencers: [sponsor.node.sequencerUrl],
    adminUsers: [USER],
    system: host,
  });
  atEnd(() => started.close());
  return started;
}

function openTokens() {
  const stopping = new AbortController();
  atEnd(() => stopping.abort());
  return openTokenSource(
    {
      ...{ kind: "client-credentials", wellKnownUrl: provider.wellKnownUrl, audience: AUDIENCE },
      ...{ clientId: VALIDATOR_CLIENT, clientSecret: secretOf(VALIDATOR_CLIENT) },
    },
    { host, userId: USER, stopping: stopping.signal },
  );
}

async function openValidator(): Promise<Validator> {
  const started = await startValidator(
    {
      ...common(),
      dataFolder: temporaryFolder(atEnd),
      participantUrl: participant.url,
      participantAdminUrl: participant.adminUrl,
      participantTls: certificates.client,
      pruningSchedule: SCHEDULE,
      scans: [`${sponsor.node.scanUrl}/api/scan`],
      serviceUser: { userId: USER, ...openTokens() },
      walletUsers: ["backend"],
      operatorPartyHint: "some-validator-1",
      onboarding: { svUrl: `${sponsor.node.appUrl}/api/sv`, secret: "a-secret" },
    },
    host,
  );
  atEnd(() => started.close());
  return started;
}

test("every call of both leaves through the proxy", async () => {
  const authorization = `Bearer ${await provider.token("backend", AUDIENCE)}`;
  const own = await fetch(`${validator.url}/api/validator/v0/wallet/user-status`, {
    headers: { authorization },
  });
  expect([own.status, await own.json()]).toEqual([
    200,
    expect.objectContaining({ party_id: validator.operatorParty(), user_onboarded: true }),
  ]);
  const targets = new Set(proxy.passed.map((line) => line.split(" ")[1]));
  const { scanUrl, appUrl, sequencerUrl } = sponsor.node;
  for (const url of [
    `${scanUrl}/api/scan/v0/dso-party-id`,
    `${appUrl}/api/sv/v0/onboard/validator`,
    `${sequencerUrl}/v1/network`,
    provider.wellKnownUrl,
    `${provider.issuer}/token`,
    provider.jwksUrl,
    participant.url,
    participant.adminUrl,
  ]) {
    expect(targets).toContain(url.replace(/^https?:\/\//, ""));
  }
});

test("the participant's admin API has what the validator set, over a port with mutual TLS", async () => {
  const { token } = openTokens();
  const options = { url: participant.adminUrl, userId: USER, token, tls: certificates.client, host };
  const { client, close } = openParticipantAdmin(options);
  expect(await client.getPruningSchedule()).toEqual({ schedule: SCHEDULE });
  close();
  const bare = openParticipantAdmin({
    ...options,
    tls: { trustCollectionFile: certificates.client.trustCollectionFile },
  });
  await expect(bare.client.getPruningSchedule()).rejects.toThrow(
    /demands? a client certificate, and none is configured/,
  );
  bare.close();
});

describe("who answers at a URL", () => {
  const describeBare = async (url: string) =>
    formatServer(await describeServer(url, systemHost, { tls: certificates.client }));

  test("is found out, with and without the path of an API, through a proxy too", async () => {
    const { scanUrl, appUrl, sequencerUrl } = sponsor.node;
    for (const [url, expected] of [
      [`${scanUrl}/api/scan`, "a scan"],
      [scanUrl, "a scan"],
      [`${scanUrl}/api/sv/`, "a scan"],
      [appUrl, "an SV app"],
      [sequencerUrl, "a sequencer"],
      [validator.url, "a validator"],
      [participant.url, "a participant's ledger API"],
      [participant.adminUrl, "a participant's admin API"],
      [provider.issuer, "a server that is no part of a network (status 404)"],
    ] as const) {
      expect(await describeBare(url)).toBe(expected);
    }
    const before = proxy.passed.length;
    expect(formatServer(await describeServer(appUrl, host))).toBe("an SV app");
    expect(proxy.passed.length).toBeGreaterThan(before);
  });

  test("is nobody, or somebody that answers everything alike", async () => {
    const { url, close } = await listen((_, response) => void response.end("<html>welcome</html>"));
    expect(await describeBare(url)).toBe("a server that is no part of a network (status 200)");
    await close();
    expect(await describeBare(url)).toMatch(/^nobody: connect ECONNREFUSED 127/);
    expect(await describeBare("scan.example")).toBe('nobody: "scan.example" is no http or https URL');
    const gate = await listen((_, response) => void response.writeHead(401).end("{}"));
    expect(await describeBare(gate.url)).toBe("a server that is no part of a network (status 401)");
    await gate.close();
  });

  test("is told for swapped URLs in a sentence", async () => {
    const { scanUrl, appUrl } = sponsor.node;
    const explain = (url: string) =>
      explainWrongServer({ url, name: "the SV sponsor URL", role: "sv" }, systemHost);
    expect(await explain(`${appUrl}/api/sv`)).toBeUndefined();
    expect(await explain(`${scanUrl}/api/scan`)).toBe(
      `the SV sponsor URL ${scanUrl}/api/scan is answered by a scan; it must be the URL of an SV app`,
    );
  });
});
