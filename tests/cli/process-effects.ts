// The effects of the keys that every process has.

import type { Listening } from "@callsign/node";
import type { ProcessSetup } from "../../packages/cli/src/settings/setups.ts";
import { type Effects, effectsUnder, type KeyEffect } from "./key-effect.ts";
import type { Values } from "./setup-kit.ts";

const PAIR = { certChainFile: "/tls/chain.pem", privateKeyFile: "/tls/key.pem" };

/** The TLS of a port; `beside` has the values that make the port listen. */
export function tlsEffects<T>(
  port: string,
  find: (setup: T) => Listening | null | undefined,
  beside: Values = {},
): Effects<T> {
  const tls = (setup: T) => find(setup)?.tls;
  const block = (values: Values): Values => ({
    ...beside,
    callsign: { ...(beside["callsign"] as object), tls: { [port]: { ...PAIR, ...values } } },
  });
  const ofPair = (name: keyof typeof PAIR): KeyEffect<T> => ({
    given: "/other.pem",
    expected: { ...PAIR, [name]: "/other.pem" },
    pick: (setup) => ({
      certChainFile: tls(setup)?.certChainFile,
      privateKeyFile: tls(setup)?.privateKeyFile,
    }),
    beside: block({}),
  });
  const trustCollectionFile = "/tls/ca.pem";
  const ofAdminClient = (name: keyof typeof PAIR): KeyEffect<T> => ({
    given: "/admin.pem",
    expected: { type: "require", adminClient: { ...PAIR, [name]: "/admin.pem" } },
    pick: (setup) => tls(setup)?.clientAuth,
    beside: block({ trustCollectionFile, clientAuth: { type: "require", adminClient: PAIR } }),
  });
  return effectsUnder(`callsign.tls.${port}`, {
    certChainFile: ofPair("certChainFile"),
    privateKeyFile: ofPair("privateKeyFile"),
    trustCollectionFile: {
      given: trustCollectionFile,
      expected: trustCollectionFile,
      pick: (setup) => tls(setup)?.trustCollectionFile,
      beside: block({}),
    },
    "clientAuth.type": {
      given: "optional",
      expected: { type: "optional" },
      pick: (setup) => tls(setup)?.clientAuth,
      beside: block({ trustCollectionFile }),
    },
    "clientAuth.adminClient.certChainFile": ofAdminClient("certChainFile"),
    "clientAuth.adminClient.privateKeyFile": ofAdminClient("privateKeyFile"),
    minimumServerProtocolVersion: {
      given: "TLSv1.3",
      expected: "TLSv1.3",
      pick: (setup) => tls(setup)?.minimumProtocolVersion,
      beside: block({}),
    },
  });
}

export function processEffects<T extends ProcessSetup>(
  addressOf: (setup: T) => string,
  dataFolderOf: (setup: T) => string,
): Effects<T> {
  const rate = (values: Values): Values => ({ callsign: { rateLimits: values } });
  return {
    "callsign.address": {
      given: "127.0.3.4",
      expected: ["127.0.3.4", "127.0.3.4"],
      pick: (setup) => [addressOf(setup), setup.metrics.host],
    },
    "callsign.dataFolder": { given: "/var/lib/node", expected: "/var/lib/node", pick: dataFolderOf },
    "callsign.healthPort": { given: 6003, expected: 6003, pick: ({ health }) => health?.port },
    "callsign.metricsPort": { given: 6013, expected: 6013, pick: ({ metrics }) => metrics.port },
    "callsign.metrics.nativeHistograms": {
      given: false,
      expected: false,
      pick: ({ metrics }) => metrics.nativeHistograms,
    },
    "callsign.log.level": {
      given: "WARN",
      expected: "warn",
      pick: ({ log }) => log.level,
      beside: { logLevelStdout: "ERROR" },
    },
    "callsign.log.format": { given: "readable", expected: "readable", pick: ({ log }) => log.format },
    "callsign.rateLimits.perAddress.perSecond": {
      given: 5,
      expected: { perSecond: 5, burst: 5 },
      pick: ({ metrics }) => metrics.callRates?.perAddress,
    },
    "callsign.rateLimits.perAddress.burst": {
      given: 50,
      expected: { perSecond: 5, burst: 50 },
      pick: ({ metrics }) => metrics.callRates?.perAddress,
      beside: rate({ perAddress: { perSecond: 5 } }),
    },
    "callsign.rateLimits.perUser.perSecond": {
      given: 2.5,
      expected: { perSecond: 2.5, burst: 2.5 },
      pick: ({ metrics }) => metrics.callRates?.perUser,
    },
    "callsign.rateLimits.perUser.burst": {
      given: 20,
      expected: { perSecond: 2, burst: 20 },
      pick: ({ metrics }) => metrics.callRates?.perUser,
      beside: rate({ perUser: { perSecond: 2 } }),
    },
    ...tlsEffects("health", ({ health }: T) => health, { callsign: { healthPort: 6003 } }),
    ...tlsEffects("metrics", ({ metrics }: T) => metrics),
    logLevelStdout: {
      given: "error",
      expected: "error",
      pick: ({ log }) => log.level,
      beside: { logLevel: "WARN" },
    },
    logLevel: { given: "DEBUG", expected: "debug", pick: ({ log }) => log.level },
    additionalJvmOptions: {
      given: "-Dhttps.proxyHost=proxy.example.com -Dhttps.proxyPort=3128 -Dhttp.nonProxyHosts=*.internal",
      expected: { host: "proxy.example.com", port: 3128 },
      pick: ({ proxy }) => proxy?.https,
    },
    additionalEnvVars: {
      given: [{ name: "CALLSIGN_METRICS_PORT", value: "6113" }],
      expected: 6113,
      pick: ({ metrics }) => metrics.port,
    },
  };
}

type Database = { readonly [key: string]: unknown };

/** Rows of `persistence`. */
export function databaseEffects<T>(find: (setup: T) => Database | undefined): Effects<T> {
  const host = {
    given: "db2.example.com",
    expected: "db2.example.com",
    pick: (setup: T) => find(setup)?.["host"],
  };
  return {
    "persistence.host": host,
    ...loginEffects("persistence", find, (more) => ({ persistence: { host: "db.example.com", ...more } })),
  };
}

/** Rows of everything but the server. `beside` has the values that the block needs. */
export function loginEffects<T>(
  prefix: string,
  find: (setup: T) => Database | undefined,
  beside: (more?: Values) => Values,
): Effects<T> {
  const host = beside();
  const pick = (name: string) => (setup: T) => find(setup)?.[name];
  const ssl = pick("ssl");
  const pair = beside({ sslmode: "verify-ca", sslcert: "/c.pem", sslkey: "/k.pem" });
  return effectsUnder(prefix, {
    port: { given: 6432, expected: 6432, pick: pick("port"), beside: host },
    user: { given: "somebody", expected: "somebody", pick: pick("user"), beside: host },
    secretName: {
      given: "other-postgres",
      expected: "other-password",
      pick: pick("password"),
      beside: host,
    },
    password: {
      given: "given-password",
      expected: "given-password",
      pick: pick("password"),
      beside: host,
    },
    databaseName: {
      given: "names_MIGRATION_ID",
      expected: "names_7",
      pick: pick("database"),
      beside: host,
    },
    schema: { given: "names", expected: "names", pick: pick("schema"), beside: host },
    ssl: { given: true, expected: { mode: "verify-full" }, pick: ssl, beside: host },
    sslmode: { given: "verify-ca", expected: { mode: "verify-ca" }, pick: ssl, beside: host },
    sslrootcert: {
      given: "/ca.pem",
      expected: { mode: "verify-full", rootCertFile: "/ca.pem" },
      pick: ssl,
      beside: host,
    },
    sslcert: {
      given: "/c2.pem",
      expected: { mode: "verify-ca", certFile: "/c2.pem", keyFile: "/k.pem" },
      pick: ssl,
      beside: pair,
    },
    sslkey: {
      given: "/k2.pem",
      expected: { mode: "verify-ca", certFile: "/c.pem", keyFile: "/k2.pem" },
      pick: ssl,
      beside: pair,
    },
  });
}
