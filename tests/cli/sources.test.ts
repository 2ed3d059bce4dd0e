// The sources of values, their order of precedence, and secrets, which no output shows.

import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runConfigCommand } from "../../packages/cli/src/config-commands/run-config-command.ts";
import type { KeyTable } from "../../packages/cli/src/keys/key.ts";
import { findKey } from "../../packages/cli/src/keys/match-keys.ts";
import { PARTICIPANT_KEYS } from "../../packages/cli/src/keys/participant-keys.ts";
import { VALIDATOR_KEYS } from "../../packages/cli/src/keys/validator-keys.ts";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { readScanSetup } from "../../packages/cli/src/settings/read-scan-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import { parseSourceOptions } from "../../packages/cli/src/settings/source-options.ts";
import { formatFinding } from "../../packages/cli/src/values/finding.ts";
import { SCAN_BASE } from "./scan-effects.ts";
import { argumentsOf, type Given, setupOf, writeParts } from "./setup-kit.ts";
import { BASE_SECRETS, VALIDATOR_BASE } from "./validator-base.ts";

const validatorOf = (given: Given) =>
  setupOf(readValidatorSetup(writeParts({ ...given, files: [VALIDATOR_BASE, ...(given.files ?? [])] })));
const findingsOf = (given: Given) => {
  const outcome = readValidatorSetup(
    writeParts({ ...given, files: [VALIDATOR_BASE, ...(given.files ?? [])] }),
  );
  return outcome.ok ? [] : outcome.findings.map(formatFinding);
};

describe("the order of sources", () => {
  const ways: readonly Given[] = [
    { files: [{ contactPoint: "first file" }] },
    { files: [{ contactPoint: "second file" }] },
    { sets: ["contactPoint=first set"] },
    { sets: ["contactPoint=second set"] },
    { files: [{ additionalEnvVars: [{ name: "SPLICE_APP_CONTACT_POINT", value: "additional variable" }] }] },
    { environment: { SPLICE_APP_CONTACT_POINT: "variable" } },
    {
      environment: {
        ADDITIONAL_CONFIG_A:
          'canton.validator-apps.validator_backend.contact-point = "additional configuration"',
      },
    },
    {
      environment: {
        ADDITIONAL_CONFIG_B: 'canton.validator-apps.validator_backend.contact-point = "later name"',
      },
    },
  ];
  const expected = [
    "first file",
    "second file",
    "first set",
    "second set",
    "additional variable",
    "variable",
    "additional configuration",
    "later name",
  ];

  test.each(expected.map((name, i) => [name, i] as const))("%s wins over all before it", (name, last) => {
    const used = ways.slice(0, last + 1);
    const setup = validatorOf({
      files: used.flatMap(({ files = [] }) => files),
      sets: used.flatMap(({ sets = [] }) => sets),
      environment: Object.assign({}, ...used.map(({ environment = {} }) => environment)),
    });
    expect(setup.config.contactPoint).toBe(name);
  });

  test("of two variables of one key, the container's name wins", () => {
    const environment = { CONTACT_POINT: "compose", SPLICE_APP_CONTACT_POINT: "container" };
    expect(validatorOf({ environment }).config.contactPoint).toBe("container");
  });

  test("an empty variable is none", () => {
    expect(
      validatorOf({ files: [{ contactPoint: "file" }], environment: { CONTACT_POINT: "" } }).config
        .contactPoint,
    ).toBe("file");
  });

  test("a key that says the same in another way gives way to a later source", () => {
    const scanClient = { scanAddress: null, scanClient: { seedUrls: ["https://seed.example"] } };
    const environment = { TRUSTED_SCAN_URL: "https://trusted.example" };
    const { scans } = validatorOf({ files: [scanClient], environment }).config;
    expect(scans).toEqual({ kind: "bft", seedUrls: ["https://trusted.example/api/scan"] });
    const { walletUsers } = validatorOf({ environment: { WALLET_ADMIN_USER: "administrator" } }).config;
    expect(walletUsers).toEqual(["administrator"]);
  });

  test("Splice's compose files configure a validator by variables alone", () => {
    const root = "canton.validator-apps.validator_backend";
    const environment = {
      ...{ MIGRATION_ID: "4", SPONSOR_SV_ADDRESS: "https://sv.example.com", ONBOARDING_SECRET: "s3cret" },
      ...{
        SCAN_ADDRESS: "https://scan.example.com",
        PARTY_HINT: "acme-names-1",
        CONTACT_POINT: "",
        LOG_LEVEL: "INFO",
      },
      ...{
        TARGET_TRAFFIC_THROUGHPUT: "20000",
        MIN_TRAFFIC_TOPUP_INTERVAL: "1m",
        WALLET_ADMIN_USER: "administrator",
      },
      ...{
        SPLICE_DB_USER: "cnadmin",
        SPLICE_DB_PASSWORD: "supersafe",
        SPLICE_DB_SERVER: "pg",
        SPLICE_DB_PORT: "5432",
      },
      ADDITIONAL_CONFIG_PERSISTENCE: `${root}.storage {
        type = postgres
        config {
          dataSourceClass = "org.postgresql.ds.PGSimpleDataSource"
          properties = { databaseName = validator, currentSchema = validator, serverName = pg, portNumber = 5432
            user = cnadmin, password = supersafe, tcpKeepAlive = true }
        }
      }`,
      ADDITIONAL_CONFIG_APP_INSTANCES: `${root}.app-instances={}`,
      ADDITIONAL_CONFIG_BFT_SCAN: `${root}.scan-client.type = "bft"\n${root}.scan-client.seed-urls = [ "https://scan.example.com" ]`,
      ADDITIONAL_CONFIG_DISABLE_AUTH: `${root} { auth="" }
        ${root} { auth={ algorithm = "hs-256-unsafe", audience = "https://validator.example.com", secret = "unsafe" } }
        ${root}.participant-client.ledger-api.auth-config=""
        ${root}.participant-client.ledger-api.auth-config { type="none" }`,
    };
    const { config, serviceUser } = setupOf(readValidatorSetup(writeParts({ environment })));
    expect(config).toMatchObject({
      migrationId: 4,
      onboarding: { svUrl: "https://sv.example.com/api/sv", secret: "s3cret" },
      scans: { kind: "bft", seedUrls: ["https://scan.example.com/api/scan"] },
      nodeIdentifier: "acme-names-1",
      auth: { kind: "hs256", secret: "unsafe", audience: "https://validator.example.com" },
      database: { host: "pg", database: "validator", password: "supersafe" },
      topup: { targetThroughput: 20_000, minTopupIntervalSeconds: 60 },
    });
    expect(serviceUser).toEqual({ userId: "ledger-api-user", credentials: { kind: "none" } });
  });
});

describe("mounted secrets", () => {
  test("a new line at the end is no part of the secret", () => {
    const setup = validatorOf({ files: [{ persistence: { host: "db" } }], secrets: BASE_SECRETS });
    expect(setup.config.database?.password).toBe("base-password");
  });

  test("the client's credentials come from their secret, with the user <client id>@clients if it names none", () => {
    const name = "splice-app-validator-ledger-api-auth";
    const secrets = {
      [`${name}/url`]: "https://id.example/.well-known/openid-configuration",
      [`${name}/client-id`]: "client-9\n",
      [`${name}/client-secret`]: "client-secret-9",
      [`${name}/audience`]: "https://ledger.example",
    };
    const files = [{ callsign: null }];
    expect(validatorOf({ files, secrets }).serviceUser).toEqual({
      userId: "client-9@clients",
      credentials: {
        kind: "client-credentials",
        wellKnownUrl: "https://id.example/.well-known/openid-configuration",
        clientId: "client-9",
        clientSecret: "client-secret-9",
        audience: "https://ledger.example",
      },
    });
  });

  test("a secret that is missing, empty or unreadable is named by its file", () => {
    const files = [{ persistence: { host: "db" } }];
    expect(findingsOf({ files }).join()).toMatch(
      /persistence\.password: is missing.*postgres-secrets\/postgresPassword/,
    );
    const empty = findingsOf({ files, secrets: { "postgres-secrets/postgresPassword": "\n" } });
    expect(empty.join()).toMatch(/postgres-secrets\/postgresPassword, which is empty/);
    const folder = findingsOf({ files, secrets: { "postgres-secrets/postgresPassword/x": "1" } });
    expect(folder.join()).toMatch(/postgresPassword, which cannot be read: it is a folder/);
  });

  test("a name that leaves the folder is refused", () => {
    const files = [{ persistence: { host: "db", secretName: "../../etc" } }];
    expect(findingsOf({ files, secrets: BASE_SECRETS }).join()).toMatch(/is no name of a secret/);
  });

  test("additional variables may come from secrets", () => {
    const ref = (optional: boolean) => ({ secretKeyRef: { name: "contact", key: "point", optional } });
    const files = [{ additionalEnvVars: [{ name: "CONTACT_POINT", valueFrom: ref(false) }] }];
    expect(validatorOf({ files, secrets: { "contact/point": "from a secret" } }).config.contactPoint).toBe(
      "from a secret",
    );
    expect(findingsOf({ files, secrets: BASE_SECRETS }).join()).toMatch(
      /contact\/point, which does not exist/,
    );
    const optional = [{ additionalEnvVars: [{ name: "CONTACT_POINT", valueFrom: ref(true) }] }];
    expect(findingsOf({ files: optional, secrets: BASE_SECRETS })).toEqual([]);
  });
});

describe("values files", () => {
  test("one that is missing or unreadable is named", () => {
    const missing = readValidatorSetup({
      source: { files: ["/nowhere/a.yaml"], sets: [], environment: {} },
      files: systemHost.files,
    });
    expect(missing.ok ? "" : missing.findings.map(formatFinding).join()).toMatch(
      /\/nowhere\/a\.yaml: does not exist/,
    );
    const parts = writeParts({ files: ["a: 1 # secret"] });
    const folder = {
      ...parts,
      source: { ...parts.source, files: [join(parts.source.files[0] ?? "", "..")] },
    };
    const outcome = readValidatorSetup(folder);
    expect(outcome.ok ? "" : outcome.findings.map(formatFinding).join()).toMatch(
      /cannot be read: it is a folder/,
    );
    if (process.getuid?.() === 0) return;
    chmodSync(parts.source.files[0] ?? "", 0);
    const denied = readValidatorSetup(parts);
    expect(denied.ok ? "" : denied.findings.map(formatFinding).join()).toMatch(/permission denied/);
  });
});

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const secrets = {
  "postgres-secrets/postgresPassword": "x",
  "splice-app-validator-onboarding-validator/secret": "x",
  "splice-app-validator-ledger-api-auth/ledger-api-user": "client@clients",
  "splice-app-validator-ledger-api-auth/url": "https://id.acme.example/.well-known/openid-configuration",
  "splice-app-validator-ledger-api-auth/client-id": "client",
  "splice-app-validator-ledger-api-auth/client-secret": "x",
  "splice-app-validator-ledger-api-auth/audience": "https://ledger.acme.example",
};

/** The keys of a table that a file gives. */
function keysIn(table: KeyTable, values: unknown, path: readonly string[] = []): readonly string[] {
  const key =
    path.length === 0
      ? undefined
      : findKey(table, path.map((part) => (part.includes(".") ? JSON.stringify(part) : part)).join("."));
  if (key !== undefined) return [key.path];
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, inner]) => keysIn(table, inner, [...path, name]));
}

/** Ours, and those that only HOCON and PostgreSQL's driver know. */
const isOurs = (path: string) => path.startsWith("callsign.") || /^persistence\.(password|ssl)/.test(path);

describe("fixtures", () => {
  const every = ["validator-every-key.yaml", "validator-older-keys.yaml", "validator-other-connections.yaml"];

  test("hold every key of Splice's charts", () => {
    const given = new Set(every.flatMap((name) => keysIn(VALIDATOR_KEYS, parse(fixture(name)))));
    const wanted = VALIDATOR_KEYS.map(({ path }) => path).filter((path) => !isOurs(path));
    expect(wanted.filter((path) => !given.has(path) && path !== "pvc.size")).toEqual([]);
    const ofParticipant = new Set(keysIn(PARTICIPANT_KEYS, parse(fixture("participant-every-key.yaml"))));
    const others = ["nodeIdentifier", "persistence.user", "persistence.postgresName"].concat(
      ["id", "migrating", "previousDatabaseName"].map((name) => `migration.${name}`),
    );
    const wantedThere = PARTICIPANT_KEYS.map(({ path }) => path).filter(
      (path) => !isOurs(path) && !others.includes(path),
    );
    expect(wantedThere.filter((path) => !ofParticipant.has(path))).toEqual([]);
  });

  test.each([
    ["every key", ["validator-every-key.yaml"], "bft-custom", "bft-custom"],
    [
      "the older keys",
      ["validator-every-key.yaml", "validator-older-keys.yaml"],
      "trust-single",
      "trust-single",
    ],
    [
      "other connections",
      ["validator-every-key.yaml", "validator-other-connections.yaml"],
      "trust-single",
      "trust-single",
    ],
    ["the specification's keys alone", ["validator-seed-keys.yaml"], "bft", "from-scan"],
  ])("a validator with %s is configured", (_, names, scans, sequencers) => {
    const { config, proxy } = setupOf(readValidatorSetup(writeParts({ files: names.map(fixture), secrets })));
    expect([
      config.scans.kind,
      config.sequencers.kind,
      config.database?.database,
      proxy?.https?.port,
    ]).toEqual([scans, sequencers, "validator_3", 3128]);
  });

  test.each(["participant-every-key.yaml", "participant-seed-keys.yaml"])(
    "a participant with %s is configured",
    (name) => {
      const environment = { MIGRATION_ID: "3" };
      const { config } = setupOf(
        readParticipantSetup(writeParts({ files: [fixture(name)], secrets, environment })),
      );
      expect([config.database?.database, config.adminUsers]).toEqual(["participant_3", ["client@clients"]]);
    },
  );

  test("keys that cannot apply are named once each, with their place", () => {
    const { unusedKeys } = setupOf(
      readValidatorSetup(writeParts({ files: [fixture("validator-every-key.yaml")], secrets })),
    );
    const names = unusedKeys.map(({ key }) => key);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        "imageRepo",
        "defaultJvmOptions",
        "resources",
        "db.volumeSize",
        "ansWebUi.enabled",
      ]),
    );
    expect(unusedKeys.find(({ key }) => key === "imageRepo")?.from).toMatch(/values\.yaml:2:12$/);
  });
});

test("planted secrets show in no finding and no output", () => {
  const planted = "pl4nted-secret";
  const secretKeys = VALIDATOR_KEYS.filter(({ isSecret, type }) => isSecret && type.kind === "text");
  const outputs: string[] = [];
  const run = (given: Given) => {
    for (const action of ["check", "show"]) {
      const write = (text: string) => void outputs.push(text);
      runConfigCommand([action, "validator", ...argumentsOf(given)], {
        environment: given.environment ?? {},
        files: systemHost.files,
        write,
        complain: write,
      });
    }
  };
  for (const { path, variables, hocon } of secretKeys) {
    run({ files: [VALIDATOR_BASE], sets: [`${path}=${planted}`] });
    run({ files: [VALIDATOR_BASE], sets: [`${path}={${planted}}`] });
    run({ files: [VALIDATOR_BASE], sets: [`${path}.typo=${planted}`] });
    for (const name of variables) run({ files: [VALIDATOR_BASE], environment: { [name]: planted } });
    for (const name of hocon)
      run({
        files: [VALIDATOR_BASE],
        environment: { ADDITIONAL_CONFIG_X: `${name} = ${planted}\n${name}-typo = ${planted}` },
      });
  }
  run({
    files: [VALIDATOR_BASE, `persistence: { passwort: ${planted} }`],
    environment: { ADDITIONAL_CONFIG_X: `a = "${planted}` },
  });
  run({ files: [VALIDATOR_BASE, `additionalEnvVars: [{ name: X, value: ${planted} }]`] });
  run({
    files: [VALIDATOR_BASE, { additionalJvmOptions: `-Dhttps.proxyHost=a -Dhttps.proxyPassword=${planted}` }],
  });
  run({
    files: [{ ...VALIDATOR_BASE, persistence: { host: "db" } }],
    secrets: { "postgres-secrets/postgresPassword": planted },
  });
  expect(outputs.length).toBeGreaterThan(50);
  expect(outputs.filter((text) => text.includes(planted))).toEqual([]);
});

describe("an option that is short for a key", () => {
  const table = { workers: { type: "string", sets: "callsign.workers" } } as const;

  test("has its place among the sets", () => {
    const parsed = parseSourceOptions(["--set", "a=1", "--workers", "3", "--set", "b=2"], {}, table);
    expect(parsed.ok && parsed.source.sets.map(({ text }) => text)).toEqual([
      "a=1",
      "callsign.workers=3",
      "b=2",
    ]);
  });

  test.each(["0", "65", "two"])("is refused as its key is, for %s", (given) => {
    const parsed = parseSourceOptions(["--workers", given], {}, table);
    const sets = parsed.ok ? parsed.source.sets.map(({ text }) => text) : [];
    const outcome = readScanSetup(writeParts({ files: [SCAN_BASE], sets }));
    expect(outcome.ok ? [] : outcome.findings.map(formatFinding)).toContainEqual(
      expect.stringMatching(new RegExp(`callsign.workers.*${given}.*a whole number, 1 to 64`)),
    );
  });
});
