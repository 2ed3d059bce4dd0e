/** Logs on servers that speak TLS and demand a certificate: the right files are used, and a wrong one is named. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseRefused, silentLog, systemHost, type TlsClientConfig } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PostgresSsl } from "../../packages/node/src/database/postgres-config.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import { POSTGRES_RISKS } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";
import { type NatsCluster, startNatsCluster } from "../support/nats-cluster.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { APPENDED, chainContents, EMPTY, readEntries } from "./log-entries.ts";

const atEnd = atEndOfFile();
const parts = { host: systemHost, log: silentLog, patienceMilliseconds: 3000 };
let authority: CertificateAuthority;
let stranger: CertificateAuthority;
let folder: string;

function pem(text: string): string {
  const path = join(folder, `${randomUUID()}.pem`);
  writeFileSync(path, text);
  return path;
}

async function clientOf(by: CertificateAuthority) {
  return writeCertificate(folder, await by.issue("client"), randomUUID());
}

beforeAllOrSkip(async () => {
  [authority, stranger] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()]);
  folder = temporaryFolder(atEnd);
}, 120_000);

describe("the log on NATS", () => {
  let cluster: NatsCluster;
  let plain: NatsCluster;

  beforeAllOrSkip(async (skip) => {
    // The address alone: a check by any other name fails.
    const server = writeCertificate(folder, await authority.issue("nats", { names: ["127.0.0.1"] }), "nats");
    const tls = {
      ...{ cert_file: server.certChainFile, key_file: server.privateKeyFile },
      ...{ ca_file: pem(authority.certificate), verify: true },
    };
    cluster = await startNatsCluster({ nodes: 1, settings: { tls } }, atEnd, skip);
    plain = await startNatsCluster({ nodes: 1 }, atEnd, skip);
  }, 120_000);

  const open = async (tls: TlsClientConfig, { host = "127.0.0.1", of = cluster } = {}) => {
    const servers = of.nodes.map(({ port }) => `tls://${host}:${port}`);
    const single = { replicas: 1, acceptedRisks: ["few-replicas"] as const };
    const log = await openNatsLog(of.log(randomUUID(), { servers, tls, ...single }), parts);
    onTestFinished(log.close);
    return log;
  };
  const trusted = async () => ({
    trustCollectionFile: pem(authority.certificate),
    certificate: await clientOf(authority),
  });

  test("is kept and read over TLS, with the certificate that the server demands", async () => {
    const log = await open(await trusted());
    expect(await log.append(chainContents(EMPTY, ["one"]))).toEqual(APPENDED);
    expect(await readEntries(log, 0, 1)).toHaveLength(1);
  });

  test("is not opened on a server of another authority, or of another name", async () => {
    const files = await trusted();
    const other = open({ ...files, trustCollectionFile: pem(stranger.certificate) });
    await expect(other).rejects.toThrow(
      /the certificate of 127\.0\.0\.1:\d+ is not trusted: no authority in \S+ has signed it/,
    );
    await expect(other).rejects.toBeInstanceOf(DatabaseRefused);
    await expect(open(files, { host: "localhost" })).rejects.toThrow(
      /the certificate of localhost:\d+ is for other names: IP Address:127\.0\.0\.1/,
    );
  });

  test("is not opened without the certificate that the server demands, or with a stranger's", async () => {
    const { trustCollectionFile } = await trusted();
    await expect(open({ trustCollectionFile })).rejects.toThrow(/demands? a client certificate/);
    const certificate = await clientOf(stranger);
    await expect(open({ trustCollectionFile, certificate })).rejects.toThrow(
      /not accept the client certificate/,
    );
  });

  test("is not opened at a tls:// server that speaks none: the password is not sent in the clear", async () => {
    await expect(open(await trusted(), { of: plain })).rejects.toThrow(
      /the NATS server tls:\/\/127\.0\.0\.1:\d+ does not speak TLS: turn it on there, or write nats:\/\//,
    );
  });

  test("is not opened with files that cannot be used", async () => {
    await expect(open({ trustCollectionFile: "/no/such.pem" })).rejects.toThrow(
      "trust-collection-file /no/such.pem does not exist",
    );
  });
});

describe("the log on PostgreSQL", () => {
  let server: PostgresServer;

  beforeAllOrSkip(async (skip) => {
    const pair = await authority.issue("postgres", { names: ["127.0.0.1"] });
    const certificates = { ...pair, clientAuthority: authority.certificate };
    const access = ["hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca"];
    server = await ownServer({ certificates, access }, atEnd, skip);
  }, 120_000);

  const open = async (ssl: PostgresSsl) => {
    const config = server.config("log", { ssl, schema: `t${randomUUID().slice(0, 8)}` });
    const log = await openPostgresLog(config, { ...parts, acceptedRisks: POSTGRES_RISKS });
    onTestFinished(log.close);
    return log;
  };
  const trusted = async () => {
    const { certChainFile: certFile, privateKeyFile: keyFile } = await clientOf(authority);
    const rootCertFile = pem(authority.certificate);
    return { mode: "verify-full", rootCertFile, certFile, keyFile } as const;
  };

  test("is kept, read and listened to over TLS, with the certificate that the server demands", async () => {
    const log = await open(await trusted());
    expect(await log.append(chainContents(EMPTY, ["one"]))).toEqual(APPENDED);
    expect(await readEntries(log, 0, 1)).toHaveLength(1);
  });

  test("is not opened on a server of another authority, or without the certificate that it demands", async () => {
    const files = await trusted();
    await expect(open({ ...files, rootCertFile: pem(stranger.certificate) })).rejects.toThrow(
      /the server's certificate is not of an authority in sslrootcert/,
    );
    const { certFile: _, keyFile: __, ...without } = files;
    await expect(open(without)).rejects.toThrow(DatabaseRefused);
  });
});
