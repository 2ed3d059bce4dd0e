// The effects of the keys about a network's ordered log.

import type { LogSetting } from "../../packages/cli/src/settings/setups.ts";
import { type Effects, effectsUnder } from "./key-effect.ts";
import { loginEffects } from "./process-effects.ts";
import type { Values } from "./setup-kit.ts";

interface WithLog {
  readonly orderedLog: LogSetting;
}

const SERVERS = ["nats://nats-1:4222"];

export function logEffects<T extends WithLog>(): Effects<T> {
  const postgres = (more: Values = {}): Values => ({
    migration: { id: 7 },
    log: { kind: "postgres", postgres: { hosts: ["db-1"], ...more } },
  });
  const nats = (more: Values = {}): Values => ({
    log: { kind: "nats", nats: { servers: SERVERS, user: "u", systemUser: "s", ...more } },
  });
  const tls = (files: Values = {}): Values => nats({ servers: ["tls://nats-1:4222"], tls: files });
  const databaseOf = ({ orderedLog }: T) =>
    orderedLog.kind === "postgres" ? { ...orderedLog.database } : undefined;
  const streamOf = ({ orderedLog }: T) => (orderedLog.kind === "nats" ? orderedLog.stream : undefined);
  return {
    "log.kind": {
      given: "nats",
      expected: "nats",
      pick: ({ orderedLog }) => orderedLog.kind,
      beside: { log: { nats: { servers: SERVERS } } },
    },
    "log.accept": {
      given: ["synchronous_standby_names", "fsync"],
      expected: ["fsync", "synchronous_standby_names"],
      pick: ({ orderedLog }) => (orderedLog.kind === "postgres" ? orderedLog.acceptedRisks : undefined),
      beside: postgres(),
    },
    "log.postgres.hosts": {
      given: ["db-1:6000", "db-2", "[::1]:7000"],
      expected: [
        { host: "db-1", port: 6000 },
        { host: "db-2", port: 5432 },
        { host: "::1", port: 7000 },
      ],
      pick: ({ orderedLog }) => {
        if (orderedLog.kind !== "postgres") return [];
        const { host, port, otherPlaces = [] } = orderedLog.database;
        return [{ host, port }, ...otherPlaces];
      },
      beside: postgres(),
    },
    ...loginEffects<T>("log.postgres", databaseOf, postgres),
    ...effectsUnder<T>("log.nats", {
      servers: {
        given: ["tls://nats-2:4222", "nats://nats-3:4222"],
        expected: ["tls://nats-2:4222", "nats://nats-3:4222"],
        pick: (setup) => streamOf(setup)?.servers,
        beside: nats(),
      },
      stream: { given: "names", expected: "names", pick: (setup) => streamOf(setup)?.stream, beside: nats() },
      replicas: { given: 5, expected: 5, pick: (setup) => streamOf(setup)?.replicas, beside: nats() },
      user: {
        given: "olga",
        expected: "olga",
        pick: (setup) => streamOf(setup)?.login?.user,
        beside: nats(),
      },
      password: {
        given: "given-password",
        expected: "given-password",
        pick: (setup) => streamOf(setup)?.login?.password,
        beside: nats(),
      },
      systemUser: {
        given: "sam",
        expected: "sam",
        pick: (setup) => streamOf(setup)?.systemLogin?.user,
        beside: nats(),
      },
      systemPassword: {
        given: "given-password",
        expected: "given-password",
        pick: (setup) => streamOf(setup)?.systemLogin?.password,
        beside: nats(),
      },
      "tls.trustCollectionFile": {
        given: "/ca.pem",
        expected: "/ca.pem",
        pick: (setup) => streamOf(setup)?.tls?.trustCollectionFile,
        beside: tls(),
      },
      "tls.certChainFile": {
        given: "/c2.pem",
        expected: { certChainFile: "/c2.pem", privateKeyFile: "/k.pem" },
        pick: (setup) => streamOf(setup)?.tls?.certificate,
        beside: tls({ certChainFile: "/c.pem", privateKeyFile: "/k.pem" }),
      },
      "tls.privateKeyFile": {
        given: "/k2.pem",
        expected: { certChainFile: "/c.pem", privateKeyFile: "/k2.pem" },
        pick: (setup) => streamOf(setup)?.tls?.certificate,
        beside: tls({ certChainFile: "/c.pem", privateKeyFile: "/k.pem" }),
      },
      secretName: {
        given: "other-nats",
        expected: ["other-password", "other-system-password"],
        pick: (setup) => [streamOf(setup)?.login?.password, streamOf(setup)?.systemLogin?.password],
        beside: nats(),
      },
    }),
  };
}
