/** The setup of a network of SVs. */
import { decimal } from "@callsign/ledger";
import type { ApprovedSv } from "@callsign/sv";
import { SV_KEYS } from "../keys/sv-keys.ts";
import { WORKERS_PATH } from "../keys/workers-key.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import type { KeyReader } from "./key-reader.ts";
import { readAnsConfig, readMicroseconds } from "./read-ans-config.ts";
import { readTokenVerifier } from "./read-authentication.ts";
import { readInstanceNames } from "./read-identity.ts";
import { readOrderedLog } from "./read-log.ts";
import { describeScanPages, readSvPages } from "./read-pages.ts";
import { readAddress, readCallRates, readProcess } from "./read-process.ts";
import { type Draft, readSetup } from "./read-setup.ts";
import { readTls } from "./read-tls.ts";
import type { NetworkSettings, SvSettings, SvSetup } from "./setups.ts";

const PORTS = { scan: 5012, sequencer: 5008, app: 5014 };
const PORT_STEP = 100;

export function readSvSetup(parts: ReadParts): SetupOutcome<SvSetup> {
  return readSetup(SV_KEYS, parts, draftSv);
}

function draftSv(reader: KeyReader): Draft<SvSetup> | undefined {
  const auth = readTokenVerifier(reader);
  const svs = reader.names("svs").map((index) => readSv(reader, Number(index)));
  if (svs.length === 0) reader.require("svs", "List at least one SV, such as svs: [{ name: sv-1 }]");
  const names = svs.map(({ name }) => name);
  const twice = names.find((name, i) => name !== "" && names.indexOf(name) < i);
  if (twice !== undefined) {
    reader.findings.push({
      key: "svs",
      value: twice,
      problem: "names two SVs",
      fix: "Give each SV a name of its own",
    });
  }
  const network = readNetwork(reader);
  const orderedLog = readOrderedLog(reader, Number(network.migrationId));
  const retentionDays = reader.number("log.retentionDays");
  const process = readProcess(reader, { healthIsOnApi: false });
  const [tls, callRates] = [readTls(reader, "api"), readCallRates(reader)];
  const shownNames = network.spliceInstanceNames;
  const pages = { scan: describeScanPages(shownNames), app: readSvPages(reader, shownNames) };
  if (auth === undefined) return undefined;
  return {
    ...process,
    dataFolder: reader.text("callsign.dataFolder") ?? ".data/sv",
    host: readAddress(reader),
    ...(tls === undefined ? {} : { tls }),
    ...(callRates === undefined ? {} : { callRates }),
    workers: reader.number(WORKERS_PATH) ?? 1,
    svs,
    approvedSvs: reader.names("approvedSvIdentities").map((index) => readApproved(reader, index)),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    snapshotSources: reader.texts("log.snapshotSources") ?? [],
    ...{ network, orderedLog, pages },
    auth,
  };
}

function readSv(reader: KeyReader, index: number): SvSettings {
  const at = (name: string) => `svs.${index}.${name}`;
  const port = (name: keyof typeof PORTS) =>
    reader.number(at(`ports.${name}`)) ?? PORTS[name] + PORT_STEP * index;
  const name =
    reader.text(at("name")) ?? reader.require(at("name"), "Give the SV a name, such as sv-1") ?? "";
  const [scan, sequencer] = [reader.text(at("publicUrls.scan")), reader.text(at("publicUrls.sequencer"))];
  if (scan !== undefined || sequencer !== undefined) {
    for (const each of ["scan", "sequencer"])
      reader.require(at(`publicUrls.${each}`), "Give the public URLs of scan and sequencer together");
  }
  const weight = reader.number(at("rewardWeight"));
  return {
    name,
    ports: { scan: port("scan"), sequencer: port("sequencer"), app: port("app") },
    ...(scan === undefined || sequencer === undefined ? {} : { publicUrls: { scan, sequencer } }),
    operators: reader.texts(at("operators")) ?? [],
    expectedSecrets: reader.texts(at("expectedSecrets")) ?? [],
    ...(weight === undefined ? {} : { rewardWeight: BigInt(weight) }),
    ...readJoining(reader, at("joinWithKeyOnboarding")),
  };
}

function readJoining(reader: KeyReader, at: string): Pick<SvSettings, "joining"> {
  const [sponsorUrl, publicKey, privateKey] = ["sponsorApiUrl", "publicKey", "privateKey"].map((name) =>
    reader.text(`${at}.${name}`),
  );
  if (sponsorUrl === undefined && publicKey === undefined && privateKey === undefined) return {};
  for (const each of ["sponsorApiUrl", "publicKey", "privateKey"])
    reader.require(`${at}.${each}`, "Give the sponsor's URL and both keys of the SV together");
  return {
    joining: {
      sponsorUrl: `${(sponsorUrl ?? "").replace(/\/+$/, "")}/api/sv`,
      publicKey: publicKey ?? "",
      privateKey: privateKey ?? "",
    },
  };
}

function readApproved(reader: KeyReader, index: string): ApprovedSv {
  const at = (name: string) => `approvedSvIdentities.${index}.${name}`;
  const need = "Give the name, the public key and the reward weight of each SV that may join";
  const [name, publicKey] = ["name", "publicKey"].map(
    (each) => reader.text(at(each)) ?? reader.require(at(each), need),
  );
  const weight = reader.number(at("rewardWeightBps")) ?? reader.require(at("rewardWeightBps"), need);
  return { name: name ?? "", publicKey: publicKey ?? "", rewardWeightBps: BigInt(weight ?? 0) };
}

function readMigrationId(reader: KeyReader, otherName: string): number {
  const [id, other] = [reader.number("migration.id"), reader.number(otherName)];
  if (id !== undefined && other !== undefined && id !== other)
    reader.refuse(otherName, `is another id than migration.id, which is ${id}`, "Give migration.id alone");
  return id ?? other ?? 0;
}

function readNetwork(reader: KeyReader): NetworkSettings {
  const at = (name: string) => `network.${name}`;
  const [tick, free] = [readMicroseconds(reader, at("tickDuration")), reader.number(at("freeTrafficBytes"))];
  const price = reader.text(at("amuletPrice"));
  const names = readInstanceNames(reader, at("spliceInstanceNames"));
  return {
    isDevNet: reader.flag(at("isDevNet")) ?? false,
    movableClock: reader.flag(at("movableClock")) ?? false,
    migrationId: BigInt(readMigrationId(reader, at("migrationId"))),
    ...(tick === undefined ? {} : { tickMicroseconds: tick }),
    ...(free === undefined ? {} : { freeTrafficBytes: BigInt(free) }),
    ...(price === undefined ? {} : { amuletPrice: decimal(price) }),
    ...readAnsConfig(reader),
    ...(names === undefined
      ? {}
      : { acronym: names.nameServiceNameAcronym.toLowerCase(), spliceInstanceNames: names }),
  };
}
