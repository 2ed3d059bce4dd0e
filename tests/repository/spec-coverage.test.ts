// Keeps docs/spec-coverage.md true: its ids are unique, what it calls done has a file and a test that exist,
// its counts are right, and nothing that the seed names is missing from it.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const repositoryRoot = join(import.meta.dirname, "../..");

const statuses = ["done", "partly", "open"];
const columns = ["id", "the seed says", "status", "where", "test", "note"];

interface CoverageRow {
  line: number;
  id: string;
  statement: string;
  status: string;
  where: string;
  test: string;
  note: string;
}

interface Repository {
  hasFile(path: string): boolean;
  read(path: string): string;
}

const thisRepository: Repository = {
  hasFile: (path) => statSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.isFile() ?? false,
  read: (path) => readFileSync(join(repositoryRoot, path), "utf8"),
};

/** The cells of a table line. A pipe inside a cell is written `\|`. */
function parseCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** The rows of every table whose header has our columns. Other tables are left alone. */
function parseRows(markdown: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  let inCoverageTable = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (!line.startsWith("|")) {
      inCoverageTable = false;
      continue;
    }
    const cells = parseCells(line);
    if (cells.join() === columns.join()) inCoverageTable = true;
    else if (inCoverageTable && !/^[|\s:-]+$/.test(line)) {
      const [id = "", statement = "", status = "", where = "", testCell = "", note = "", ...rest] = cells;
      const whole = rest.length === 0 && cells.length === columns.length;
      rows.push({ line: index + 1, id, statement, status: whole ? status : "", where, test: testCell, note });
    }
  }
  return rows;
}

/** The counts that the document states of itself, in lines such as `| done | 12 |`. */
function parseStatedCounts(markdown: string): Record<string, number> {
  const lines = markdown.matchAll(/^\| (done|partly|open) \| (\d+) \|$/gm);
  return Object.fromEntries([...lines].map(([, status = "", count]) => [status, Number(count)]));
}

function countStatuses(rows: CoverageRow[]): Record<string, number> {
  return Object.fromEntries(
    statuses.map((status) => [status, rows.filter((row) => row.status === status).length]),
  );
}

/** What stands in backticks in a text. */
function parseCodeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
}

/** `path`, or `path › name` with the name of a test, or of its group and then its own. */
function parseTestReference(span: string): { path: string; names: string[] } {
  const [path = "", ...names] = span.split(" › ");
  return { path, names };
}

function listRowProblems(row: CoverageRow, repository: Repository): string[] {
  const problems: string[] = [];
  const sources = parseCodeSpans(row.where);
  const tests = parseCodeSpans(row.test).map(parseTestReference);

  if (!/^SEED-[A-Z]+-\d{2,}$/.test(row.id)) problems.push("the id is not like SEED-LIFE-03");
  if (row.statement === "") problems.push("the statement is empty");
  if (!statuses.includes(row.status)) problems.push(`the status is not one of ${statuses.join(", ")}`);

  for (const path of sources) {
    if (!repository.hasFile(path)) problems.push(`${path} does not exist`);
  }
  for (const { path, names } of tests) {
    if (!path.endsWith(".test.ts")) problems.push(`${path} is not a test file`);
    else if (!repository.hasFile(path)) problems.push(`${path} does not exist`);
    else {
      const text = repository.read(path);
      for (const name of names) {
        if (!text.includes(name)) problems.push(`${path} has no test named "${name}"`);
      }
    }
  }

  if (row.status === "done" && sources.length === 0) problems.push("done, but names no file");
  if (row.status === "done" && tests.length === 0) problems.push("done, but names no test");
  if (row.status === "done" && row.note.includes("planned:"))
    problems.push("done, but the note still plans it");
  if (row.status === "partly" && sources.length + tests.length === 0)
    problems.push("partly, but names no file");
  if (row.status === "partly" && row.note === "") problems.push("partly, but does not say what is missing");
  if (row.status === "open" && row.where + row.test !== "") problems.push("open, but names a file: partly?");
  return problems;
}

function listProblems(markdown: string, repository: Repository): string[] {
  const rows = parseRows(markdown);
  const problems = rows.flatMap((row) =>
    listRowProblems(row, repository).map((problem) => `line ${row.line}, ${row.id}: ${problem}`),
  );

  const firstLines = new Map<string, number>();
  for (const { id, line } of rows) {
    const first = firstLines.get(id);
    if (first === undefined) firstLines.set(id, line);
    else problems.push(`line ${line}, ${id}: the id was used before, on line ${first}`);
  }

  const rowLines = new Set(rows.map((row) => row.line));
  for (const [index, line] of markdown.split("\n").entries()) {
    if (line.startsWith("| SEED-") && !rowLines.has(index + 1)) {
      problems.push(`line ${index + 1}: a row outside a table headed ${columns.join(", ")}`);
    }
    for (const [, target = ""] of line.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
      if (!/^https?:/.test(target) && !repository.hasFile(join("docs", target))) {
        problems.push(`line ${index + 1}: the link to ${target} leads nowhere`);
      }
    }
  }
  return problems;
}

/** The names that no statement carries in backticks. */
function listMissingNames(names: string[], rows: CoverageRow[]): string[] {
  const known = new Set(rows.flatMap((row) => parseCodeSpans(row.statement)));
  return names.filter((name) => !known.has(name));
}

// What the seed names, typed by hand from the seed; names are separated by commas or line ends.

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

const markdown = thisRepository.read("docs/spec-coverage.md");

test("every row has an id, a status and files that exist", () => {
  expect(parseRows(markdown).length).toBeGreaterThan(0);
  expect(listProblems(markdown, thisRepository)).toEqual([]);
});

test("the counts at the top are the counts of the rows", () => {
  expect(parseStatedCounts(markdown), "correct the counts in docs/spec-coverage.md").toEqual(
    countStatuses(parseRows(markdown)),
  );
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
  expect(listMissingNames(namesOf(list), parseRows(markdown))).toEqual([]);
});

test("a document that is not true is found out", () => {
  const files = new Map([
    ["src/name.ts", ""],
    ["src/name.test.ts", 'test("a name resolves", () => {});'],
  ]);
  const repository: Repository = {
    hasFile: (path) => files.has(path),
    read: (path) => files.get(path) ?? "",
  };
  const sample = `
| done | 7 |

| id | the seed says | status | where | test | note |
|---|---|---|---|---|---|
| SEED-GOOD-01 | a \`name\` | done | \`src/name.ts\` | \`src/name.test.ts › a name resolves\` | |
| SEED-GOOD-02 | an \\| in it | partly | \`src/name.ts\` | | missing: the rest |
| SEED-GOOD-02 | used twice | open | | | |
| LIFE-3 | no such id | open | | | |
| SEED-BAD-01 | no such status | finished | | | |
| SEED-BAD-02 | a cell too few | open | | |
| SEED-BAD-03 | nothing to show | done | | | |
| SEED-BAD-04 | files are gone | done | \`src/gone.ts\` | \`src/gone.test.ts\` | |
| SEED-BAD-05 | test is gone | done | \`src/name.ts\` | \`src/name.test.ts › a name expires\` | planned: src |
| SEED-BAD-06 | not a test | done | \`src/name.ts\` | \`src/name.ts\` | |
| SEED-BAD-07 | nothing begun | partly | | | |
| SEED-BAD-08 | begun | open | \`src/name.ts\` | | [why](decisions/none.md) |

| SEED-BAD-09 | in no table | open | | | |
`;
  expect(listProblems(sample, repository)).toEqual([
    "line 9, LIFE-3: the id is not like SEED-LIFE-03",
    "line 10, SEED-BAD-01: the status is not one of done, partly, open",
    "line 11, SEED-BAD-02: the status is not one of done, partly, open",
    "line 12, SEED-BAD-03: done, but names no file",
    "line 12, SEED-BAD-03: done, but names no test",
    "line 13, SEED-BAD-04: src/gone.ts does not exist",
    "line 13, SEED-BAD-04: src/gone.test.ts does not exist",
    'line 14, SEED-BAD-05: src/name.test.ts has no test named "a name expires"',
    "line 14, SEED-BAD-05: done, but the note still plans it",
    "line 15, SEED-BAD-06: src/name.ts is not a test file",
    "line 16, SEED-BAD-07: partly, but names no file",
    "line 16, SEED-BAD-07: partly, but does not say what is missing",
    "line 17, SEED-BAD-08: open, but names a file: partly?",
    "line 8, SEED-GOOD-02: the id was used before, on line 7",
    "line 17: the link to decisions/none.md leads nowhere",
    "line 19: a row outside a table headed id, the seed says, status, where, test, note",
  ]);
  expect(parseStatedCounts(sample)).toEqual({ done: 7 });
  expect(countStatuses(parseRows(sample))).toEqual({ done: 5, partly: 2, open: 3 });
  expect(listMissingNames(["name", "party"], parseRows(sample))).toEqual(["party"]);
});
