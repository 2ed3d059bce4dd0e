// Each planted mistake has its finding: the key, the problem, the remedy and the place.

import { describe, expect, test } from "vitest";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { readScanSetup } from "../../packages/cli/src/settings/read-scan-setup.ts";
import { readSvSetup } from "../../packages/cli/src/settings/read-sv-setup.ts";
import { readValidatorSetup } from "../../packages/cli/src/settings/read-validator-setup.ts";
import { formatFinding } from "../../packages/cli/src/values/finding.ts";
import { PARTICIPANT_BASE, SV_BASE } from "./participant-effects.ts";
import { SCAN_BASE } from "./scan-effects.ts";
import { type Given, setupOf, type Values, writeParts } from "./setup-kit.ts";
import { ALICE, BASE_SECRETS, VALIDATOR_BASE } from "./validator-base.ts";

function findingsOf(
  read: typeof readValidatorSetup | typeof readParticipantSetup | typeof readScanSetup | typeof readSvSetup,
  base: Values,
  given: Given,
) {
  const outcome = read(
    writeParts({ secrets: BASE_SECRETS, ...given, files: [base, ...(given.files ?? [])] }),
  );
  return outcome.ok ? [] : outcome.findings.map(formatFinding);
}

const HOCON = "canton.validator-apps.validator_backend";

describe("a validator", () => {
  test.each<[string, Values, RegExp]>([
    [
      "an unknown key",
      { scanAdress: "x" },
      /^scanAdress: is not a known key\. Did you mean scanAddress\? \(.*values\.yaml:1:\d+\)$/,
    ],
    [
      "an unknown key in a section",
      { persistence: { hots: "x" } },
      /^persistence\.hots: is not a known key\. Did you mean persistence\.host\?/,
    ],
    [
      "a key at the wrong place",
      { databaseName: "x" },
      /^databaseName: is not a known key\. Did you mean persistence\.databaseName\?/,
    ],
    [
      "a wrong type",
      { enableWallet: "maybe" },
      /^enableWallet: "maybe" is neither true nor false\. Give true or false\./,
    ],
    ["text in place of a map", { persistence: "postgres" }, /^persistence: is text\. Give a map with/],
    [
      "text in place of a list",
      { validatorWalletUsers: "alice" },
      /^validatorWalletUsers: "alice" is no list\. Give a list of texts\./,
    ],
    [
      "a port out of range",
      { persistence: { host: "db", port: 70_000 } },
      /^persistence\.port: "70000" is out of range\. Give a whole number, 1 to 65535\./,
    ],
    [
      "no URL",
      { svSponsorAddress: "sv.example.com" },
      /^svSponsorAddress: "sv\.example\.com" is no http or https URL of a host, a port and a path alone\. Give an http or https URL\./,
    ],
    [
      "a URL of another kind",
      { scanAddress: "ftp://scan.example" },
      /^scanAddress: .* is no http or https URL/,
    ],
    [
      "a URL with a password",
      { scanAddress: "https://u:p@scan.example" },
      /^scanAddress: "https:\/\/…@scan\.example" is no http or https URL of a host, a port and a path alone/,
    ],
    [
      "a placeholder that nobody replaced",
      { svSponsorAddress: "SPONSOR_SV_URL" },
      /^svSponsorAddress: "SPONSOR_SV_URL" is no http or https URL/,
    ],
    [
      "scanAddress beside scanClient",
      { scanClient: { seedUrls: ["https://a.example"] } },
      /^scanAddress: .* cannot be given beside scanClient/,
    ],
    [
      "trust-single without an address",
      { scanAddress: null, scanClient: { scanType: "trust-single" } },
      /^scanClient\.scanAddress: is missing/,
    ],
    [
      "bft without seeds",
      { scanAddress: null, scanClient: { scanType: "bft" } },
      /^scanClient\.seedUrls: is missing/,
    ],
    [
      "no seed at all",
      { scanAddress: null, scanClient: { seedUrls: [] } },
      /^scanClient\.seedUrls: is empty/,
    ],
    [
      "bft-custom without names and threshold",
      { scanAddress: null, scanClient: { scanType: "bft-custom", seedUrls: ["https://a.example"] } },
      /scanClient\.svNames: is missing.*scanClient\.threshold: is missing/s,
    ],
    [
      "a threshold of more than there are",
      { synchronizer: { connectionType: "bft-custom", svNames: ["a"], threshold: 2 } },
      /^synchronizer\.threshold: 2 is not allowed\. Give 1 to 1, the number of svNames/,
    ],
    [
      "a url beside bft-custom",
      {
        synchronizer: {
          connectionType: "bft-custom",
          svNames: ["a"],
          threshold: 1,
          url: "https://a.example",
        },
      },
      /^synchronizer\.url: .* cannot be given with connectionType bft-custom/,
    ],
    [
      "trust-single without a sequencer",
      { synchronizer: { connectionType: "trust-single" } },
      /^synchronizer\.url: is missing/,
    ],
    [
      "one sequencer without its URL",
      { useSequencerConnectionsFromScan: false },
      /^decentralizedSynchronizerUrl: is missing/,
    ],
    [
      "both kinds of wallet users",
      { validatorWalletUser: "bob" },
      /^validatorWalletUser: "bob" cannot be given beside validatorWalletUsers/,
    ],
    ["no wallet user", { validatorWalletUsers: null }, /^validatorWalletUsers: is missing/],
    [
      "a party hint of an SV's validator",
      { svValidator: true },
      /^validatorPartyHint: .* cannot be given with svValidator/,
    ],
    [
      "a party hint with other characters",
      { validatorPartyHint: "acme names" },
      /^validatorPartyHint: "acme names" has another form\. Give organization-function-enumerator/,
    ],
    ["no authentication", { auth: null }, /auth\.audience: is missing.*auth\.jwksUrl: is missing/s],
    [
      "a top-up too small",
      { topup: { enabled: true, targetThroughput: 100, minTopupInterval: "1m" } },
      /^topup\.targetThroughput: .*6000 bytes.*200000/,
    ],
    [
      "a top-up too often",
      { topup: { enabled: true, targetThroughput: 90_000, minTopupInterval: "10s" } },
      /^topup\.minTopupInterval: 10 is too short/,
    ],
    [
      "a top-up without figures",
      { topup: { enabled: true } },
      /topup\.targetThroughput: is missing.*topup\.minTopupInterval: is missing/s,
    ],
    [
      "a cron expression of Unix",
      { participantPruningSchedule: { cron: "*/10 * * * *", maxDuration: "5m", retention: "48h" } },
      /^participantPruningSchedule\.cron: .*5 fields/,
    ],
    [
      "a retention within deduplication",
      { participantPruningSchedule: { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "24h" } },
      /^participantPruningSchedule\.retention: 24h is not longer/,
    ],
    [
      "half a schedule",
      { participantPruningSchedule: { cron: "0 /10 * * * ?" } },
      /maxDuration: is missing.*retention: is missing/s,
    ],
    [
      "a migration to the first id",
      { migration: { id: 0, migrating: true } },
      /^migration\.migrating: there is no/,
    ],
    [
      "a sweep that keeps more than its limit",
      {
        walletSweep: {
          [ALICE]: { maxBalanceUSD: 10, minBalanceUSD: 10.5, receiver: "treasury.unverified.cns" },
        },
      },
      /^walletSweep\..*\.minBalanceUSD: 10.5 is more than maxBalanceUSD, which is 10/,
    ],
    [
      "a party without a fingerprint",
      { autoAcceptTransfers: { alice: { fromParties: [] } } },
      /^autoAcceptTransfers\.alice/,
    ],
    [
      "half an answer about names",
      { spliceInstanceNames: { networkName: "A" } },
      /spliceInstanceNames\.amuletName: is missing/,
    ],
    [
      "a certificate without its key",
      { callsign: { tls: { api: { certChainFile: "/a" } } } },
      /^callsign\.tls\.api\.privateKeyFile: is missing/,
    ],
    [
      "client certificates without authorities",
      {
        callsign: {
          tls: { api: { certChainFile: "/a", privateKeyFile: "/b", clientAuth: { type: "require" } } },
        },
      },
      /^callsign\.tls\.api\.trustCollectionFile: is missing/,
    ],
    [
      "TLS towards a plain participant",
      { callsign: { participantUrl: "http://p:1", participantTls: { trustCollectionFile: "/a" } } },
      /^callsign\.participantUrl: .* is plain http/,
    ],
    [
      "a mode against ssl",
      { persistence: { host: "db", ssl: false, sslmode: "verify-ca" } },
      /^persistence\.ssl: "false" contradicts/,
    ],
    [
      "a proxy with credentials",
      { additionalJvmOptions: "-Dhttps.proxyHost=a -Dhttps.proxyUser=b" },
      /^additionalJvmOptions: .*https\.proxyUser/,
    ],
    [
      "a burst without a rate",
      { callsign: { rateLimits: { perUser: { burst: 5 } } } },
      /^callsign\.rateLimits\.perUser\.perSecond: is missing/,
    ],
    [
      "an unknown level",
      { logLevel: "LOUD" },
      /^logLevel: "LOUD" is none of them\. Give one of TRACE, DEBUG/,
    ],
    [
      "a long contact point",
      { contactPoint: "x".repeat(256) },
      /^contactPoint: it has 256 characters\. Give at most 255\. \(.*values\.yaml:1:\d+\)$/,
    ],
  ])("%s", (_, values, message) => {
    expect(findingsOf(readValidatorSetup, VALIDATOR_BASE, { files: [values] }).join("\n")).toMatch(message);
  });

  test.each<[string, Given, RegExp]>([
    [
      "a variable of a wrong type",
      { environment: { MIGRATION_ID: "four" } },
      /^migration\.id: "four" is no whole number\. .*\(environment variable MIGRATION_ID\)$/,
    ],
    [
      "--set of a wrong type",
      { sets: ["persistence.host=db", "persistence.port=x"] },
      /^persistence\.port: "x" is no whole number.*\(--set persistence\.port\)$/,
    ],
    [
      "a HOCON path with a slip",
      { environment: { ADDITIONAL_CONFIG_X: `${HOCON}.contact-pint = a` } },
      /contact-pint: is not a path that is honoured here\. Did you mean canton\.validator-apps\.validator_backend\.contact-point\? \(environment variable ADDITIONAL_CONFIG_X, line 1\)/,
    ],
    [
      "a HOCON path that is not honoured",
      { environment: { ADDITIONAL_CONFIG_X: "canton.features.enable-testing-commands = yes" } },
      /^canton\.features: is not a path/,
    ],
    [
      "an include",
      { environment: { ADDITIONAL_CONFIG_X: 'include "x"' } },
      /^ADDITIONAL_CONFIG_X: has an include/,
    ],
    ["YAML that is none", { files: ["a: [1"] }, /values\.yaml: is no YAML/],
  ])("%s", (_, given, message) => {
    expect(findingsOf(readValidatorSetup, VALIDATOR_BASE, given).join("\n")).toMatch(message);
  });

  test("missing network parameters are reported together", () => {
    const outcome = readValidatorSetup(writeParts({}));
    const keys = outcome.ok ? [] : outcome.findings.map(({ key }) => key);
    expect(keys).toEqual(
      expect.arrayContaining([
        "migration.id",
        "svSponsorAddress",
        "scanAddress",
        "validatorPartyHint",
        "nodeIdentifier",
        "auth.audience",
      ]),
    );
  });

  test("what Splice accepts is accepted, with a warning where it has no effect", () => {
    const values = {
      svSponsorAddress: "",
      synchronizer: { connectionType: "bft", url: "https://a.example" },
      topup: { enabled: false },
      validatorPartyHint: "anything-goes",
    };
    const { config, warnings } = setupOf(readValidatorSetup(writeParts({ files: [VALIDATOR_BASE, values] })));
    expect([config.onboarding, config.sequencers, config.topup]).toEqual([
      undefined,
      { kind: "from-scan" },
      undefined,
    ]);
    expect(warnings.join()).toMatch(/anything-goes.*<organization>-<function>-<enumerator>/);
    expect(warnings.join()).toMatch(/synchronizer\.url has no effect/);
  });

  test("disabled authentication and trust in one SV are warned of", () => {
    const values = { disableAuth: true, nonSvValidatorTrustSingleScan: true };
    const { warnings } = setupOf(readValidatorSetup(writeParts({ files: [VALIDATOR_BASE, values] })));
    expect(
      warnings.filter((warning) => /disableAuth is true|trusts one SV alone/.test(warning)),
    ).toHaveLength(2);
  });
});

describe("a participant", () => {
  test.each<[string, Values, RegExp]>([
    ["a validator's key", { validatorPartyHint: "a-b-1" }, /^validatorPartyHint: is not a known key/],
    ["no authentication", { auth: null }, /auth\.targetAudience: is missing.*auth\.jwksUrl: is missing/s],
    [
      "a prefix that is no path",
      { jsonApiServerPathPrefix: "a b" },
      /^jsonApiServerPathPrefix: "a b" has another form/,
    ],
  ])("%s", (_, values, message) => {
    expect(findingsOf(readParticipantSetup, PARTICIPANT_BASE, { files: [values] }).join("\n")).toMatch(
      message,
    );
  });

  test("an administrator is needed", () => {
    expect(findingsOf(readParticipantSetup, PARTICIPANT_BASE, { secrets: {} }).join()).toMatch(
      /^callsign\.adminUser: is missing/,
    );
  });

  test("Canton's services of tokens are understood", () => {
    const setup = (services: string) =>
      setupOf(
        readParticipantSetup(
          writeParts({
            files: [PARTICIPANT_BASE],
            secrets: BASE_SECRETS,
            environment: {
              ADDITIONAL_CONFIG_X: `canton.participants.participant.ledger-api.auth-services=${services}`,
            },
          }),
        ),
      ).config.auth;
    expect(setup("[]")).toEqual({ kind: "none" });
    expect(setup('[{ type = unsafe-jwt-hmac-256, target-audience = "a", secret = "unsafe" }]')).toEqual({
      kind: "hs256",
      secret: "unsafe",
      audience: "a",
    });
  });
});

const names = (initialAnsConfig: Values) => ({ network: { initialAnsConfig } });

describe("a scan without an SV", () => {
  test.each([
    [
      "no log",
      {},
      /^log\.kind: is missing\. Give postgres or nats: the SQLite log belongs to the process of its SVs/,
    ],
    [
      "a log that cannot be shared",
      { log: { kind: "sqlite" } },
      /^log\.kind: "sqlite" cannot be shared with a scan\. /,
    ],
    [
      "an id that is none",
      { ...SCAN_BASE, network: { id: "main" } },
      /^network\.id: "main" has another form\. Give 64 hex digits\./,
    ],
  ])("%s", (_, values, message) => {
    expect(findingsOf(readScanSetup, {}, { files: [values] }).join("\n")).toMatch(message);
  });
});

describe("a network of SVs", () => {
  test.each<[string, Values, RegExp]>([
    ["no SV", { svs: [] }, /^svs: is missing/],
    ["a name given twice", { svs: [{ name: "a" }, { name: "a" }] }, /^svs: "a" names two SVs/],
    ["an SV without a name", { svs: [{ operators: ["olga"] }] }, /^svs\.0\.name: is missing/],
    [
      "two migration ids",
      { migration: { id: 1 }, network: { migrationId: 2 } },
      /^network\.migrationId: "2" is another id than migration\.id, which is 1\. Give migration\.id alone/,
    ],
    [
      "a price that is none",
      { network: { amuletPrice: "cheap" } },
      /^network\.amuletPrice: "cheap" has another form/,
    ],
    ["a price of nothing", { network: { amuletPrice: 0 } }, /^network\.amuletPrice: "0" has another form/],
    [
      "a fee of nothing",
      names({ entryFee: "0.0" }),
      /^network\.initialAnsConfig\.entryFee: "0\.0" has another form\. Give a decimal number above 0\./,
    ],
    [
      "a lifetime that is none",
      names({ entryLifetime: "for ever" }),
      /^network\.initialAnsConfig\.entryLifetime: "for ever" is no length of time\. [^\n]*$/,
    ],
    [
      "a window as long as the lifetime",
      names({ entryLifetime: "1h", renewalDuration: "60m" }),
      /^network\.initialAnsConfig\.renewalDuration: contradicts another key: \S+\.renewalDuration is 1h, and \S+\.entryLifetime is 1h\. Give a shorter /,
    ],
    [
      "a window longer than the default of the lifetime",
      names({ renewalDuration: "91d" }),
      /\.renewalDuration: contradicts .*renewalDuration is 91d, and .*entryLifetime is 90d by default\. [^\n]*$/,
    ],
    [
      "a lifetime shorter than the default of the window",
      names({ entryLifetime: "90s" }),
      /\.entryLifetime: contradicts .*renewalDuration is 30d by default, and .*entryLifetime is 90s\. [^\n]*$/,
    ],
    [
      "a window shorter than the default of a tick",
      names({ entryLifetime: "1h", renewalDuration: "600s" }),
      /\.renewalDuration: contradicts .*tickDuration is 10m by default, and .*renewalDuration is 10m\. [^\n]*$/,
    ],
    [
      "a log on PostgreSQL without servers and without a password",
      { log: { kind: "postgres", postgres: { secretName: "nowhere" } } },
      /^log\.postgres\.password: is missing\. Mount nowhere\/postgresPassword .*CALLSIGN_LOG_PASSWORD.*\nlog\.postgres\.hosts: is missing\. List the servers/,
    ],
    [
      "a server of the log that is none",
      { log: { kind: "postgres", postgres: { hosts: ["db:99999"], password: "p" } } },
      /^log\.postgres\.hosts: .*has db:99999, which is no server\. Give host or host:port/,
    ],
    [
      "a log on NATS without servers",
      { log: { kind: "nats" } },
      /^log\.nats\.servers: is missing\. List the servers of the NATS cluster/,
    ],
    [
      "a server of NATS that is a web page",
      { log: { kind: "nats", nats: { servers: ["https://nats.example.com"] } } },
      /^log\.nats\.servers: has an item 1 that has another form\./,
    ],
    [
      "files for TLS, and a server of NATS without it",
      {
        log: { kind: "nats", nats: { servers: ["nats://n:4222"], tls: { trustCollectionFile: "/ca.pem" } } },
      },
      /^log\.nats\.servers: .*has nats:\/\/n:4222, and log\.nats\.tls is given\. Write tls:\/\/ for every server/,
    ],
    [
      "a risk of another engine",
      { log: { kind: "nats", nats: { servers: ["nats://n:4222"] }, accept: ["fsync"] } },
      /^log\.accept: .*has fsync, which is no risk of this engine\. Give old-servers, unsynced-writes,/,
    ],
    [
      "an accepted risk of the SQLite log",
      { log: { accept: ["fsync"] } },
      /^log\.accept: .*Remove it: log\.kind sqlite has none/,
    ],
    [
      "a tick longer than the default of the window",
      { network: { tickDuration: "31d" } },
      /^network\.tickDuration: contradicts .*tickDuration is 31d, and .*renewalDuration is 30d by default\. [^\n]*$/,
    ],
  ])("%s", (_, values, message) => {
    expect(findingsOf(readSvSetup, SV_BASE, { files: [values] }).join("\n")).toMatch(message);
  });
});
