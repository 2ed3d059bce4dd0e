// Keeps the coverage of the seed true: its ids are unique, the files and tests it names exist, the page is the rendered
// data, and nothing that the seed names is missing.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type CoverageRow,
  listRows,
  parseCoverage,
  parseTestReference,
  renderCoverage,
} from "./spec-coverage.ts";

const repositoryRoot = join(import.meta.dirname, "../..");

interface Repository {
  hasFile(path: string): boolean;
  read(path: string): string;
}

const thisRepository: Repository = {
  hasFile: (path) => statSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.isFile() ?? false,
  read: (path) => readFileSync(join(repositoryRoot, path), "utf8"),
};

function listRowProblems(
  { status, where, test: tests, note }: CoverageRow,
  repository: Repository,
): string[] {
  const problems = where.flatMap((path) => (repository.hasFile(path) ? [] : [`${path} does not exist`]));
  for (const { path, titles } of tests.map(parseTestReference)) {
    if (!path.endsWith(".test.ts")) problems.push(`${path} is not a test file`);
    else if (!repository.hasFile(path)) problems.push(`${path} does not exist`);
    else {
      const text = repository.read(path);
      const missing = titles.filter((title) => !text.includes(title));
      problems.push(...missing.map((title) => `${path} has no test titled "${title}"`));
    }
  }
  for (const [, target = ""] of note.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
    if (!/^https?:/.test(target) && !repository.hasFile(join("docs", target)))
      problems.push(`the link to ${target} leads nowhere`);
  }
  if (status === "done" && where.length === 0) problems.push("done, but names no file");
  if (status === "done" && tests.length === 0) problems.push("done, but names no test");
  if (status === "done" && note.includes("planned:")) problems.push("done, but the note still plans it");
  if (status === "partly" && where.length + tests.length === 0) problems.push("partly, but names no file");
  if (status === "partly" && note === "") problems.push("partly, but does not say what is missing");
  if (status === "open" && where.length + tests.length > 0) problems.push("open, but names a file: partly?");
  return problems;
}

function listProblems(rows: readonly CoverageRow[], repository: Repository): string[] {
  return rows.flatMap((row, place) => [
    ...listRowProblems(row, repository).map((problem) => `${row.id}: ${problem}`),
    ...(rows.findIndex(({ id }) => id === row.id) < place ? [`${row.id}: the id is used twice`] : []),
  ]);
}

/** The names that no statement carries in backticks. */
function listMissingNames(names: readonly string[], rows: readonly CoverageRow[]): string[] {
  const known = new Set(
    rows.flatMap(({ seed }) => [...seed.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)),
  );
  return names.filter((name) => !known.has(name));
}

// Names of the seed, typed by hand from the seed; names are separated by commas or line ends.

const endpoints = `
  GET /v0/rewards-collected
  GET /v0/amulet-config-for-round
  GET /v0/ans-entries
  GET /v0/ans-entries/by-name/{name}
  GET /v0/ans-entries/by-party/{party}
  POST /v0/ans-rules
  GET /v0/scan-proxy/ans-entries
  GET /v0/scan-proxy/ans-entries/by-name/{name}
  GET /v0/scan-proxy/ans-entries/by-party/{party}
  POST /v0/entry/create
  GET /v0/entry/all
  PATCH /v2/parties/{party}
  POST /v2/events/events-by-contract-id
  GET /readyz
  GET /livez
  GET /metrics`;

const contractsAndChoices = `
  splice-amulet-name-service, AnsRules, AnsRulesConfig, AnsEntryContext, AnsEntry, SubscriptionRequest,
  AmuletRules, entryLifetime, expiresAt, AnsRules_RequestEntry, AnsEntryContext_CollectInitialEntryPayment,
  AnsEntryContext_CollectEntryRenewalPayment, AnsEntry_Expire`;

const lifecycleStates = "none, registration requested, initial payment made, active, expired";

const scanFields = `
  amount, error, amulet_create_fee, holding_fee, lock_holder_fee, transfer_fee, transfer_fee.initial,
  transfer_fee.steps, transfer_fee.steps[].amount, transfer_fee.steps[].rate, round, name_prefix,
  page_size`;

const entryRequestFields = "name, url, description";

const partyDetailsAndMask = `
  partyDetails, party, isLocal, localMetadata, localMetadata.resourceVersion, localMetadata.annotations,
  identityProviderId, updateMask, paths, unknownFields, local_metadata, local_metadata.annotations,
  local_metadata.resource_version, is_local, party_details.identity_provider_id, ParticipantAdmin`;

const eventFields = `
  contractId, eventFormat, filtersByParty, filtersForAnyParty, cumulative, identifierFilter, {Empty: {}},
  verbose, created, createdEvent.offset, createdEvent.nodeId, createdEvent.contractId,
  createdEvent.templateId, createdEvent.createArgument, createdEvent.witnessParties,
  createdEvent.signatories, createdEvent.observers, createdEvent.createdAt, createdEvent.packageName,
  createdEvent.representativePackageId, createdEvent.acsDelta, createdEvent.contractKey,
  createdEvent.contractKeyHash, createdEvent.createdEventBlob, createdEvent.interfaceViews, interfaceId,
  viewStatus, message, details, typeUrl, value, valueDecoded, viewValue, implementationPackageId,
  created.synchronizerId, archived, archivedEvent.offset, archivedEvent.nodeId, archivedEvent.contractId,
  archivedEvent.templateId, archivedEvent.witnessParties, archivedEvent.packageName,
  archivedEvent.implementedInterfaces, archived.synchronizerId`;

const ledgerErrorFields = `
  code, cause, context, errorCategory, correlationId, traceId, resources, grpcCodeValue, retryInfo,
  definiteAnswer`;

const configurationKeys = `
  MIGRATION_ID, SPONSOR_SV_URL, ONBOARDING_SECRET, TRUSTED_SCAN_URL, svSponsorAddress, validatorPartyHint,
  nodeIdentifier, migration.id, migration.migrating, persistence.secretName, persistence.host,
  persistence.port, persistence.databaseName, persistence.schema, scanAddress, validatorWalletUsers,
  auth.audience, auth.jwksUrl, auth.targetAudience, contactPoint, enableWallet, enableHealthProbes,
  nonSvValidatorTrustSingleScan, useSequencerConnectionsFromScan, decentralizedSynchronizerUrl,
  disableAuth, topup.enabled, topup.targetThroughput, topup.minTopupInterval,
  participantPruningSchedule.cron, participantPruningSchedule.maxDuration,
  participantPruningSchedule.retention, metrics.enable, additionalJvmOptions, https.proxyHost,
  https.proxyPort, https.nonProxyHosts, walletSweep, walletSweep.maxBalanceUSD, walletSweep.minBalanceUSD,
  walletSweep.receiver, walletSweep.useTransferPreapproval, autoAcceptTransfers,
  autoAcceptTransfers.fromParties, db.volumeSize, db.volumeStorageClass, cnadmin,
  TARGET_TRAFFIC_THROUGHPUT, MIN_TRAFFIC_TOPUP_INTERVAL, ADDITIONAL_CONFIG_DISABLE_NATIVE_HISTOGRAMS,
  canton.monitoring.metrics.histograms=[], ADDITIONAL_CONFIG_TOPOLOGY_METRICS_EXPORT,
  canton.validator-apps.validator_backend.automation.topology-metrics-polling-interval, ssl, sslmode,
  sslrootcert, sslcert, sslkey, cert-chain-file, private-key-file, trust-collection-file, client-auth.type,
  client-auth.admin-client.cert-chain-file, client-auth.admin-client.private-key-file,
  minimum-server-protocol-version`;

const versionTags = "external, internal, deprecated, scan, pre-alpha";

function namesOf(list: string): string[] {
  return list
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

const groups = parseCoverage(thisRepository.read("docs/spec-coverage.yaml"));
const rows = listRows(groups);

test("every row names files and tests that exist, as its status asks", () => {
  expect(rows.length).toBeGreaterThan(0);
  expect(listProblems(rows, thisRepository)).toEqual([]);
});

test("the page is what the data renders to", () => {
  expect(thisRepository.read("docs/spec-coverage.md"), "run: npm run coverage").toBe(renderCoverage(groups));
});

test.each([
  ["endpoint", endpoints],
  ["contract and choice", contractsAndChoices],
  ["lifecycle state", lifecycleStates],
  ["scan field", scanFields],
  ["field of the entry creation request", entryRequestFields],
  ["field of party details and update mask", partyDetailsAndMask],
  ["field of events", eventFields],
  ["field of the ledger error body", ledgerErrorFields],
  ["configuration key", configurationKeys],
  ["tag of a scan endpoint", versionTags],
])("every %s of the seed is listed", (_kind, list) => {
  expect(listMissingNames(namesOf(list), rows)).toEqual([]);
});

test("untrue rows are found", () => {
  const files = new Map([
    ["src/name.ts", ""],
    ["src/name.test.ts", 'test("a name resolves", () => {});'],
  ]);
  const repository: Repository = {
    hasFile: (path) => files.has(path),
    read: (path) => files.get(path) ?? "",
  };
  const row = (id: string, status: CoverageRow["status"], rest: Partial<CoverageRow> = {}): CoverageRow => ({
    ...{ id, status, seed: "a `name`", where: [], test: [], note: "" },
    ...rest,
  });
  const sample = [
    row("SEED-GOOD-01", "done", { where: ["src/name.ts"], test: ["src/name.test.ts › a name resolves"] }),
    row("SEED-GOOD-02", "partly", { where: ["src/name.ts"], note: "missing: the rest" }),
    row("SEED-GOOD-02", "open"),
    row("SEED-BAD-03", "done"),
    row("SEED-BAD-04", "done", { where: ["src/gone.ts"], test: ["src/gone.test.ts"] }),
    row("SEED-BAD-05", "done", {
      where: ["src/name.ts"],
      test: ["src/name.test.ts › a name expires"],
      note: "planned: src",
    }),
    row("SEED-BAD-06", "done", { where: ["src/name.ts"], test: ["src/name.ts"] }),
    row("SEED-BAD-07", "partly"),
    row("SEED-BAD-08", "open", { where: ["src/name.ts"], note: "[why](decisions/none.md)" }),
  ];
  expect(listProblems(sample, repository)).toEqual([
    "SEED-GOOD-02: the id is used twice",
    "SEED-BAD-03: done, but names no file",
    "SEED-BAD-03: done, but names no test",
    "SEED-BAD-04: src/gone.ts does not exist",
    "SEED-BAD-04: src/gone.test.ts does not exist",
    'SEED-BAD-05: src/name.test.ts has no test titled "a name expires"',
    "SEED-BAD-05: done, but the note still plans it",
    "SEED-BAD-06: src/name.ts is not a test file",
    "SEED-BAD-07: partly, but names no file",
    "SEED-BAD-07: partly, but does not say what is missing",
    "SEED-BAD-08: the link to decisions/none.md leads nowhere",
    "SEED-BAD-08: open, but names a file: partly?",
  ]);
  expect(listMissingNames(["name", "party"], sample)).toEqual(["party"]);
});

test.each([
  ["an id of another form", "- {section: A, rows: [{id: LIFE-3, seed: a, status: open}]}", "SEED-LIFE-03"],
  ["an unknown status", "- {section: A, rows: [{id: SEED-A-01, seed: a, status: finished}]}", "status"],
  ["an unknown key", "- {section: A, rows: [{id: SEED-A-01, seed: a, status: open, tests: []}]}", "tests"],
])("data with %s is refused", (_fault, yaml, named) => {
  expect(() => parseCoverage(yaml)).toThrow(named);
});
