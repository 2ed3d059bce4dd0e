// The web application on the ports of roles: pages beside APIs whose answers stay as they are, and an operator's login.

import { join } from "node:path";
import { silentLog, systemHost, type WebPages } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import type { WebConfig } from "../../packages/api/src/index.ts";
import { describeScanPages } from "../../packages/cli/src/settings/read-pages.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import { startHttpServer } from "../../packages/node/src/http/http-server.ts";
import { Metrics } from "../../packages/node/src/observability/metrics.ts";
import { mountSample } from "../../packages/node/testing/sample-api.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { startScanNode } from "../../packages/sv/src/scan-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { keysOfFindings } from "../cli/key-effect.ts";
import { SV_BASE } from "../cli/participant-effects.ts";
import { argumentsOf, type Given, setupOf, writeParts } from "../cli/setup-kit.ts";
import { BASE_SECRETS, VALIDATOR_BASE } from "../cli/validator-base.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";
import { Child } from "../support/child-process.ts";
import { freePort } from "../support/free-port.ts";
import { askPage } from "./built-application.ts";

const LOGIN = { authority: "https://login.example.com", clientId: "ui", audience: "a", scope: "openid" };
const PAGES: WebPages = {
  home: "wallet",
  names: { network: "N", coin: "C", coinAcronym: "CC", nameService: "Names", nameServiceAcronym: "CNS" },
  services: { validator: "/api/validator", scan: null, sv: null, ledger: null, localNetwork: null },
  returnOrigins: [],
  logins: { wallet: LOGIN, names: { ...LOGIN, clientId: "names-ui" } },
};

async function serve(dialect: "splice" | "ledger", web?: WebPages): Promise<string> {
  const server = await startHttpServer({
    ...{ host: "127.0.0.1", port: 0, mounts: [mountSample(dialect)], log: silentLog, system: systemHost },
    ...(web && { web }),
  });
  onTestFinished(server.close);
  return server.url;
}

test.each(["splice", "ledger"] as const)(
  "every answer of a %s API is the same with pages beside it",
  async (dialect) => {
    const [plain, paged] = [await serve(dialect), await serve(dialect, PAGES)];
    const asked = [
      ...[
        "/livez",
        "/v2/none",
        "/v0/x",
        "/api/none",
        "/docs/openapi",
        "/registry/x",
        "/v2/things/1",
        "/%ff",
        "/status",
      ],
    ].flatMap((path) => ["GET", "HEAD", "POST", "OPTIONS"].map((method) => ({ path, method })));
    const others = [
      { path: "/", method: "POST" },
      { path: "/names", method: "DELETE" },
    ];
    for (const { path, method } of [...asked, ...others]) {
      const headers = { host: "localhost", traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-00` };
      const [before, after] = await Promise.all(
        [plain, paged].map((url) => askPage(url, { path, method, headers })),
      );
      const shown = (answer: typeof before) => {
        const { date: _, traceparent: __, ...rest } = answer?.headers ?? {};
        return [method, path, answer?.status, answer?.text, rest];
      };
      expect(shown(after)).toEqual(shown(before));
    }
  },
);

test("the first word of the host name chooses the section and its login", async () => {
  const url = await serve("splice", PAGES);
  const configOf = async (host: string) => {
    const { status, text } = await askPage(url, { path: "/config.json", headers: { host } });
    expect([host, status]).toEqual([host, 200]);
    return JSON.parse(text) as WebConfig;
  };
  expect(await configOf("localhost:1")).toMatchObject({ home: "wallet", login: { clientId: "ui" } });
  expect(await configOf("wallet.localhost")).toMatchObject({ home: "wallet", login: { clientId: "ui" } });
  expect(await configOf("cns.localhost")).toMatchObject({ home: "names", login: { clientId: "names-ui" } });
  expect(await configOf("sv.localhost")).toMatchObject({ home: "operator", login: { clientId: "ui" } });
});

test("a port for this machine alone shows pages to no foreign host name", async () => {
  const url = await serve("splice", PAGES);
  const { status, text } = await askPage(url, { path: "/", headers: { host: "evil.example.com" } });
  expect([status, text]).toEqual([403, expect.stringContaining("for this machine only")]);
});

const SECURITY = [
  ...["content-security-policy", "x-content-type-options", "referrer-policy", "permissions-policy"],
  ...["cross-origin-opener-policy", "cross-origin-resource-policy"],
];

/** The security headers that a port sends with its first page and with its configuration. */
async function securityOf(url: string, ca?: string): Promise<readonly unknown[]> {
  const asked = ["/", "/config.json"].map((path) =>
    askPage(url, { path, headers: { host: "localhost" }, ...(ca && { ca }) }),
  );
  const answers = await Promise.all(asked);
  return answers.map(({ status, headers }) => [status, ...SECURITY.map((name) => headers[name] ?? name)]);
}

test("a scan of its own shows its pages by TLS, with the headers of every other port", async () => {
  const folder = temporaryFolder();
  const authority = await CertificateAuthority.create("pages");
  const { certChainFile, privateKeyFile } = writeCertificate(folder, await authority.issue("scan"));
  const orderedLog = new SqliteLog(join(folder, "log.db"), systemHost);
  onTestFinished(() => orderedLog.close());
  const scan = await startScanNode({
    ...{ dataFolder: join(folder, "scan"), name: "scan", host: "127.0.0.1", port: 0 },
    ...{ orderedLog, log: silentLog, metrics: new Metrics(), system: systemHost },
    ...{ tls: { certChainFile, privateKeyFile }, web: describeScanPages(undefined) },
  });
  onTestFinished(scan.close);
  expect(scan.url).toMatch(/^https:/);
  const security = await securityOf(scan.url, authority.certificate);
  expect(security).toEqual(await securityOf(await serve("splice", describeScanPages(undefined))));
  expect(security[1]).toEqual([
    200,
    expect.stringMatching(/^default-src 'none'; /),
    ...new Array(5).fill(expect.any(String)),
  ]);
});

describe("an operator's login", () => {
  const loginsOf = (given: Given) => {
    const files = [VALIDATOR_BASE, ...(given.files ?? [])];
    return readValidatorSetup(
      writeParts({ ...given, files, secrets: { ...BASE_SECRETS, ...given.secrets } }),
    );
  };

  test("comes from the mounted secrets of both UIs, with the validator's audience", () => {
    const secrets = {
      "splice-app-wallet-ui-auth/url": "https://login.acme.example\n",
      "splice-app-wallet-ui-auth/client-id": "wallet-client\n",
      "splice-app-cns-ui-auth/url": "https://login.acme.example\n",
      "splice-app-cns-ui-auth/client-id": "names-client\n",
    };
    const { web } = setupOf(loginsOf({ secrets })).config;
    const login = { authority: "https://login.acme.example", audience: "https://validator.acme.example" };
    expect(web?.logins).toEqual({
      wallet: { ...login, clientId: "wallet-client", scope: "openid offline_access" },
      names: { ...login, clientId: "names-client", scope: "openid offline_access" },
    });
    expect(web?.services).toMatchObject({ validator: "/api/validator", localNetwork: null });
  });

  test("of the name-service UI is that of the wallet UI unless it has its own", () => {
    const environment = { SPLICE_APP_UI_AUTH_URL: "https://id.example", SPLICE_APP_UI_AUTH_CLIENT_ID: "one" };
    const { web } = setupOf(loginsOf({ environment })).config;
    expect(web?.logins.names).toEqual(web?.logins.wallet);
    const own = setupOf(loginsOf({ environment: { ...environment, ANS_UI_CLIENT_ID: "two" } })).config.web;
    expect([own?.logins.wallet?.clientId, own?.logins.names?.clientId]).toEqual(["one", "two"]);
  });

  test("comes with the addresses that payments may lead back to", () => {
    const names = { url: "https://cns.acme.example/names" };
    const environment = { SPLICE_APP_WALLET_REDIRECT: "https://wallet.acme.example" };
    const { web } = setupOf(loginsOf({ files: [{ callsign: { ui: { names } } }], environment })).config;
    expect(web?.returnOrigins).toEqual(["https://wallet.acme.example", "https://cns.acme.example"]);
    expect(setupOf(loginsOf({})).config.web?.returnOrigins).toEqual([]);
  });

  test("is none without keys, and half of one is refused with the key that is missing", () => {
    expect(setupOf(loginsOf({})).config.web?.logins).toEqual({});
    for (const [given, missing] of [
      [{ authority: "https://id.example" }, "callsign.ui.wallet.clientId"],
      [{ clientId: "one" }, "callsign.ui.wallet.authority"],
    ] as const) {
      const outcome = loginsOf({ files: [{ callsign: { ui: { wallet: given } } }] });
      expect(outcome.ok ? [] : keysOfFindings(outcome.findings)).toContain(missing);
    }
    const wrong = loginsOf({
      files: [{ callsign: { ui: { wallet: { authority: "ftp://x", clientId: "one" } } } }],
    });
    expect(wrong.ok ? [] : keysOfFindings(wrong.findings)).toContain("callsign.ui.wallet.authority");
  });

  test("of an SV's operators has keys of its own", () => {
    const ui = { sv: { authority: "https://id.example", clientId: "sv-ui" } };
    const { pages } = setupOf(readSvSetup(writeParts({ files: [SV_BASE, { callsign: { ui } }] })));
    expect(pages.app).toMatchObject({ home: "operator", logins: { operator: { clientId: "sv-ui" } } });
    expect(pages.scan).toMatchObject({ home: "network", logins: {} });
  });
});

test("callsign sv shows pages on the ports of scan and app, and none on its sequencer's", async () => {
  const ports = { scan: await freePort(), sequencer: await freePort(), app: await freePort() };
  const values = {
    svs: [{ name: "sv-1", ports }],
    disableAuth: true,
    callsign: {
      ...{ dataFolder: join(temporaryFolder(), "sv"), healthPort: 0, metricsPort: 0 },
      ui: { sv: { authority: "https://id.example", clientId: "sv-ui" } },
    },
  };
  const main = join(import.meta.dirname, "../../packages/cli/src/main.ts");
  const child = new Child(main, "sv", ...argumentsOf({ files: [values] }));
  onTestFinished(async () => {
    await child.kill();
  });
  const configOf = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/config.json`).catch(() => null);
    return answer?.ok === true ? ((await answer.json()) as WebConfig) : null;
  };
  await until(async () => (await configOf(ports.app)) !== null, "the SV app answers", 60_000);
  expect(await configOf(ports.app)).toMatchObject({
    home: "operator",
    services: { sv: "/api/sv", scan: null },
    login: { clientId: "sv-ui" },
  });
  expect(await configOf(ports.scan)).toMatchObject({
    home: "network",
    services: { scan: "/api/scan" },
    login: null,
  });
  expect(await configOf(ports.sequencer)).toBeNull();
});
