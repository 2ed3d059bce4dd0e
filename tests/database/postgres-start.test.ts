// Opening a PostgreSQL database: a missing one is created, and one that cannot be used is refused with a sentence.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DatabaseDamaged,
  DatabaseRefused,
  type Log,
  openPostgresStore,
  type PostgresConfig,
  type PostgresSsl,
  type Store,
  StoreUnavailable,
  silentLog,
  systemHost,
} from "@callsign/node";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readParticipantSetup } from "../../packages/cli/src/settings/read-participant-setup.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { PARTICIPANT_BASE } from "../cli/participant-effects.ts";
import { setupOf, writeParts } from "../cli/setup-kit.ts";
import { CertificateAuthority, type CertificateOptions } from "../support/certificates.ts";
import { fresh } from "../support/fresh.ts";
import { ownServer, sharedDatabase } from "../support/postgres.ts";
import { PASSWORD, type PostgresServer } from "../support/postgres-server.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

const PLAN = { store: "pots", migrations: ["create table pot (name text primary key);\n"] };

const atEnd = atEndOfFile();
let folder: string;
let server: PostgresServer;
/** Signs the server's certificate, which is for 127.0.0.1 alone. */
let authority: CertificateAuthority;
let stranger: CertificateAuthority;

beforeAll(async () => {
  folder = temporaryFolder(atEnd);
  authority = await CertificateAuthority.create("ours");
  stranger = await CertificateAuthority.create("another");
  const issued = await authority.issue("server", { names: ["127.0.0.1"] });
  server = await ownServer(
    {
      certificates: { ...issued, clientAuthority: authority.certificate },
      access: [
        "hostssl   all plain         127.0.0.1/32 reject",
        "hostnossl all plain,cnadmin 127.0.0.1/32 scram-sha-256",
        "hostssl   all certified     127.0.0.1/32 scram-sha-256 clientcert=verify-ca",
        "hostssl   all all           127.0.0.1/32 scram-sha-256",
      ],
    },
    atEnd,
  );
  for (const role of ["plain", "secure", "certified"])
    await server.sql(`create role ${role} login createdb password '${PASSWORD}'`);
  await server.sql(`create role poor login password '${PASSWORD}'`);
});

async function open(change: Partial<PostgresConfig> = {}, log: Log = silentLog): Promise<Store> {
  const config = server.config(fresh("db"), change);
  const store = await openPostgresStore(config, PLAN, { host: systemHost, log, patienceMilliseconds: 0 });
  onTestFinished(() => store.close());
  return store;
}

function pem(text: string): string {
  const path = join(folder, fresh("file"));
  writeFileSync(path, text);
  return path;
}

async function clientFiles(by: CertificateAuthority, options: CertificateOptions = {}) {
  const pair = await by.issue("client", options);
  return { certFile: pem(pair.certificate), keyFile: pem(pair.privateKey) };
}

describe("TLS, by mode", () => {
  const isTls = async (user: string, ssl: PostgresSsl, host = "127.0.0.1") => {
    const store = await open({ user, ssl, host });
    const row = await store.get("select ssl as is_tls from pg_stat_ssl where pid = pg_backend_pid()");
    await store.close();
    return row?.["is_tls"] === 1n;
  };

  test("disable, allow, prefer and require use TLS as far as the server and the mode want", async () => {
    expect(await isTls("plain", { mode: "disable" })).toBe(false);
    await expect(isTls("secure", { mode: "disable" })).rejects.toThrow(/the server refuses the user.*pg_hba/);
    expect(await isTls("plain", { mode: "allow" })).toBe(false);
    expect(await isTls("secure", { mode: "allow" })).toBe(true);
    expect(await isTls("plain", { mode: "prefer" })).toBe(false);
    expect(await isTls("secure", { mode: "prefer" })).toBe(true);
    await expect(isTls("plain", { mode: "require" })).rejects.toThrow(DatabaseRefused);
    expect(await isTls("secure", { mode: "require" })).toBe(true);
  });

  test("a configuration without a key of TLS prefers it, as libpq does", async () => {
    const persistence = { host: "127.0.0.1", password: PASSWORD };
    const values = { ...PARTICIPANT_BASE, persistence, callsign: { adminUser: "operator" } };
    const { config } = setupOf(readParticipantSetup(writeParts({ files: [values] })));
    const { ssl } = config.database as PostgresConfig & { ssl: PostgresSsl };
    expect(await isTls("secure", ssl)).toBe(true);
    expect(await isTls("plain", ssl)).toBe(false);
  });

  test("a server without TLS serves prefer, and not require", async () => {
    const config = await sharedDatabase();
    const parts = { host: systemHost, log: silentLog };
    const store = await openPostgresStore({ ...config, ssl: { mode: "prefer" } }, PLAN, parts);
    await store.close();
    const refused = openPostgresStore({ ...config, ssl: { mode: "require" } }, PLAN, parts);
    await expect(refused).rejects.toThrow(/the server has no TLS. Turn it on there, or give another sslmode/);
  });

  test("verify-ca checks the server's authority, verify-full its name as well", async () => {
    const rootCertFile = pem(authority.certificate);
    const otherRoot = pem(stranger.certificate);
    expect(await isTls("secure", { mode: "verify-ca", rootCertFile }, "localhost")).toBe(true);
    expect(await isTls("secure", { mode: "verify-full", rootCertFile })).toBe(true);
    await expect(isTls("secure", { mode: "verify-full", rootCertFile }, "localhost")).rejects.toThrow(
      /the server's certificate is for another host/,
    );
    for (const mode of ["require", "verify-ca", "verify-full"] as const) {
      await expect(isTls("secure", { mode, rootCertFile: otherRoot })).rejects.toThrow(
        /the server's certificate is not of an authority in sslrootcert/,
      );
    }
    await expect(isTls("secure", { mode: "verify-full" })).rejects.toThrow(/verify-full needs sslrootcert/);
  });

  test("a client certificate is shown, and one that the server does not trust is refused", async () => {
    expect(await isTls("certified", { mode: "require", ...(await clientFiles(authority)) })).toBe(true);
    await expect(isTls("certified", { mode: "require" })).rejects.toThrow(DatabaseRefused);
    const wrong = { mode: "require", ...(await clientFiles(stranger)) } as const;
    await expect(isTls("certified", wrong)).rejects.toThrow(/refuses the TLS handshake/);
  });

  test("files that cannot be used are named, with the reason", async () => {
    const good = await clientFiles(authority);
    const expired = await clientFiles(authority, {
      notBefore: new Date("2020-01-01"),
      notAfter: new Date("2020-02-01"),
    });
    const other = await clientFiles(authority);
    const cases: [Omit<PostgresSsl, "mode">, RegExp][] = [
      [{ rootCertFile: "/no/such.pem" }, /sslrootcert \/no\/such.pem does not exist/],
      [{ rootCertFile: pem("nonsense") }, /sslrootcert \S+ holds no certificate/],
      [expired, /sslcert \S+ has expired/],
      [{ ...good, keyFile: other.keyFile }, /sslkey \S+ does not fit the certificate/],
      [{ certFile: good.certFile }, /sslcert is given without sslkey/],
    ];
    for (const [ssl, reason] of cases) {
      const opening = open({ user: "secure", ssl: { mode: "require", ...ssl } });
      await expect(opening).rejects.toThrow(reason);
      await expect(opening).rejects.toBeInstanceOf(DatabaseRefused);
    }
  });
});

test("a wrong password and a missing right to create the database are told, with the remedy", async () => {
  const wrong = open({ password: "not-the-password" });
  await expect(wrong).rejects.toThrow(
    /user "cnadmin": the password is wrong. Check the secret's postgresPassword/,
  );
  await expect(wrong).rejects.not.toThrow(/not-the-password/);
  await expect(open({ user: "poor", ssl: { mode: "require" } })).rejects.toThrow(
    /the user may not create it. As an administrator run: create database "db-\d+" owner "poor"/,
  );
  await server.sql("create database given owner plain");
  const store = await open({ user: "plain", database: "given" });
  expect(await store.all("select * from pot")).toEqual([]);
});

test("names are quoted, and those that PostgreSQL would cut are refused", async () => {
  const store = await open({ database: 'My "odd" база', schema: "Participant 0" });
  await store.run("insert into pot values ('a')");
  expect(await server.sql('select name from "Participant 0".pot', 'My "odd" база')).toBe("a");
  await expect(open({ schema: "s".repeat(64) })).rejects.toThrow(/schema is "s+": allowed are 1 to 63 bytes/);
});

test("texts are ordered by their bytes also in a database of another language", async () => {
  await server.sql(
    "create database icu template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US'",
  );
  const store = await open({ database: "icu" });
  for (const name of ["b", "B", "a", "ä", "_"]) await store.run("insert into pot values ($1)", name);
  const rows = await store.all("select name from pot order by name");
  expect(rows.map(({ name }) => name)).toEqual(["B", "_", "a", "b", "ä"]);
});

test("a schema of another program or another role is left alone", async () => {
  await server.sql("create database splice");
  await server.sql(
    "create schema validator; create table validator.flyway_schema_history (id int)",
    "splice",
  );
  await expect(open({ database: "splice", schema: "validator" })).rejects.toThrow(
    /schema "validator" holds tables of another program \(flyway_schema_history\): give another database or schema/,
  );
  const config = server.config("roles");
  const parts = { host: systemHost, log: silentLog };
  await (await openPostgresStore({ ...config }, { ...PLAN, store: "wallet" }, parts)).close();
  const wrong = open({ database: "roles" });
  await expect(wrong).rejects.toThrow(/holds the store "wallet" and no "pots": it belongs to another role/);
  await expect(wrong).rejects.toBeInstanceOf(DatabaseDamaged);
  await server.sql("create database latin template template0 encoding 'LATIN1' locale 'C'");
  await expect(open({ database: "latin" })).rejects.toThrow(/encoding is LATIN1, and UTF8 is needed/);
});

test("a table that is gone is told as damage, not as a mistake of the caller", async () => {
  const store = await open({ database: "damaged" });
  await server.sql("drop table callsign.pot", "damaged");
  await expect(store.all("select name from pot")).rejects.toThrow(
    /lacks a table or column.*Restore it whole/,
  );
});

test("a server that loses data in a crash is warned of", async () => {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, error: (_, message) => warnings.push(message), child: () => log };
  await open({}, log);
  expect(warnings).toEqual([expect.stringContaining("runs with fsync = off")]);
});

test("a server older than 14 is refused", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  const number = await server.sql("show server_version_num");
  proxy.hooks = {
    // An older server answers the same, but for its version.
    toClient: (bytes) => Buffer.from(bytes.toString("latin1").replaceAll(number, "130018"), "latin1"),
  };
  await expect(open({ port: proxy.port })).rejects.toThrow(
    /the server is PostgreSQL .*, and 14 or newer is needed/,
  );
});

test("a server that does not answer, or has no free connection, is told as that", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  proxy.isDown = true;
  await expect(open({ port: proxy.port })).rejects.toBeInstanceOf(StoreUnavailable);
  await server.sql("alter role plain connection limit 1");
  const store = await open({ user: "plain" });
  await expect(store.get("select 1 as one")).rejects.toThrow(/the database has too many connections/);
  await server.sql("alter role plain connection limit -1");
  await expect.poll(() => store.get("select 1 as one").catch(() => null)).toEqual({ one: 1n });
});

test("a server that comes up a moment later is waited for", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  proxy.isDown = true;
  const retries: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (_, message) => {
      retries.push(message);
      proxy.isDown = false;
    },
    child: () => log,
  };
  const config = server.config(fresh("db"), { port: proxy.port });
  const store = await openPostgresStore(config, PLAN, { host: systemHost, log });
  onTestFinished(() => store.close());
  expect(retries).toEqual(["opening the database failed; it is retried"]);
});
