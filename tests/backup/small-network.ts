/** Processes of one machine as an operator has them: four SVs, a participant and a validator, on free ports. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, ledgerApi, scanApi, type Update, validatorApi } from "@callsign/api";
import type { PostgresConfig } from "@callsign/node";
import { stringify } from "yaml";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { runHere } from "../cli/run-here.ts";
import { Child } from "../support/child-process.ts";
import { freePort } from "../support/free-port.ts";
import { signToken } from "../support/sign-token.ts";

const MAIN = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const READY_MILLISECONDS = 120_000;
const SECRET = "unsafe";
const SHARED = { algorithm: "hs-256-unsafe", secret: SECRET };
const LEDGER_AUDIENCE = "https://ledger.example.com";
const VALIDATOR_AUDIENCE = "https://validator.example.com";
const HINT = "acme-validator-1";

export type RoleName = "sv" | "participant" | "validator";
type Values = Readonly<Record<string, unknown>>;

export class SmallNetwork {
  readonly folder: string;
  readonly #ports: Readonly<Record<string, number>>;
  readonly #values: Record<RoleName, Values>;
  readonly #running = new Map<RoleName, Child>();

  private constructor(folder: string, ports: Readonly<Record<string, number>>) {
    this.folder = folder;
    this.#ports = ports;
    this.#values = makeValues(folder, ports);
  }

  static async make(atEnd: AtEnd): Promise<SmallNetwork> {
    const names = [
      "ledger",
      "validator",
      "svHealth",
      "ledgerHealth",
      ...[1, 2, 3, 4].flatMap((i) => [`scan${i}`, `sequencer${i}`, `app${i}`]),
    ];
    const ports: Record<string, number> = {};
    for (const name of names) ports[name] = await freePort();
    const network = new SmallNetwork(temporaryFolder(atEnd), ports);
    atEnd(
      async () => void (await Promise.all([...network.#running.keys()].map((role) => network.kill(role)))),
    );
    return network;
  }

  /** The options of a command that name the role's configuration, as it is now. */
  options(role: RoleName, change: Values = {}): readonly string[] {
    this.#values[role] = { ...this.#values[role], ...change };
    const file = this.writeValues(role, role);
    return ["-f", file];
  }

  /** Another values file of a role. */
  writeValues(role: RoleName, name: string, change: Values = {}): string {
    const file = join(this.folder, `${name}.yaml`);
    writeFileSync(file, stringify({ ...this.#values[role], ...change }));
    return file;
  }

  dataFolder(role: RoleName): string {
    return join(this.folder, role);
  }

  start(role: RoleName): Child {
    const child = new Child(MAIN, role, ...this.options(role));
    this.#running.set(role, child);
    return child;
  }

  async kill(role: RoleName): Promise<void> {
    await this.#running.get(role)?.kill();
    this.#running.delete(role);
  }

  async stop(role: RoleName): Promise<void> {
    await this.#running.get(role)?.stop("SIGTERM");
    this.#running.delete(role);
  }

  async ready(role: RoleName): Promise<void> {
    const isReady = async () => (await this.#probe(role))?.status === 200;
    try {
      await until(isReady, `${role} is ready`, READY_MILLISECONDS);
    } catch (cause) {
      const errors = this.#running.get(role)?.errors.slice(-2000);
      throw new Error(`${role} is not ready: ${await this.missing(role)}; ${errors}`, { cause });
    }
  }

  /** The part that keeps it from being ready, by its probe; null if none does. */
  async missing(role: RoleName): Promise<string | null> {
    return (await this.#probe(role))?.headers.get("x-callsign-missing") ?? null;
  }

  #probe(role: RoleName): Promise<Response | undefined> {
    const port = { sv: "svHealth", participant: "ledgerHealth", validator: "validator" }[role];
    return fetch(`http://127.0.0.1:${this.#ports[port]}/readyz`).catch(() => undefined);
  }

  /** The command in this process. */
  run(...words: readonly string[]) {
    return runHere(words);
  }

  /** The command in a process of its own. */
  command(...words: readonly string[]): Child {
    return new Child(MAIN, ...words);
  }

  wallet(user: string) {
    const token = signToken({ sub: user, aud: VALIDATOR_AUDIENCE }, { secret: SECRET });
    const baseUrl = `http://127.0.0.1:${this.#ports["validator"]}/api/validator`;
    return createClient(validatorApi, { fetch, baseUrl, token: () => token });
  }

  get ledger() {
    const token = signToken({ sub: "ledger-api-user", aud: LEDGER_AUDIENCE }, { secret: SECRET });
    const baseUrl = `http://127.0.0.1:${this.#ports["ledger"]}`;
    return createClient(ledgerApi, { fetch, baseUrl, token: () => token });
  }

  get scan() {
    return createClient(scanApi, { fetch, baseUrl: `http://127.0.0.1:${this.#ports["scan1"]}/api/scan` });
  }

  /** Every update of the participant's parties up to the offset. */
  async updatesUpTo(end: number): Promise<readonly Update[]> {
    const { rights } = await this.ledger.listUserRights({ params: { "user-id": "ledger-api-user" } });
    const parties = (rights ?? []).flatMap(({ kind }) =>
      "CanActAs" in kind ? [kind.CanActAs.value.party] : [],
    );
    const filters = Object.fromEntries(parties.map((party) => [party, {}]));
    const updates: Update[] = [];
    for (let after = 0; after < end; ) {
      const page = await this.ledger.listUpdates({
        query: { limit: 100n },
        body: {
          beginExclusive: after,
          endInclusive: end,
          updateFormat: {
            includeTransactions: {
              eventFormat: { filtersByParty: filters, verbose: true },
              transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
            },
          },
        },
      });
      const last = page.at(-1);
      if (last === undefined) break;
      updates.push(...page.filter(({ update }) => "Transaction" in update));
      after = offsetOf(last);
    }
    return updates;
  }
}

function offsetOf({ update }: Update): number {
  if ("Transaction" in update) return update.Transaction.value.offset;
  if ("OffsetCheckpoint" in update) return update.OffsetCheckpoint.value.offset;
  throw new Error(`an update of another kind: ${Object.keys(update)}`);
}

function makeValues(folder: string, ports: Readonly<Record<string, number>>): Record<RoleName, Values> {
  const process = (role: RoleName) => ({
    address: "127.0.0.1",
    dataFolder: join(folder, role),
    metricsPort: 0,
    log: { level: "WARN" },
  });
  return {
    sv: {
      svs: [1, 2, 3, 4].map((i) => ({
        name: `sv-${i}`,
        ports: { scan: ports[`scan${i}`], sequencer: ports[`sequencer${i}`], app: ports[`app${i}`] },
        ...(i === 1 ? { expectedSecrets: ["acme-onboarding-secret"] } : {}),
      })),
      network: { isDevNet: true, freeTrafficBytes: 4_000_000 },
      disableAuth: true,
      callsign: { ...process("sv"), healthPort: ports["svHealth"] },
    },
    participant: {
      nodeIdentifier: HINT,
      auth: { targetAudience: LEDGER_AUDIENCE },
      callsign: {
        ...process("participant"),
        ...{
          port: ports["ledger"],
          healthPort: ports["ledgerHealth"],
          adminUser: "ledger-api-user",
          auth: SHARED,
        },
      },
    },
    validator: {
      svSponsorAddress: `http://127.0.0.1:${ports["app1"]}`,
      scanAddress: `http://127.0.0.1:${ports["scan1"]}`,
      migration: { id: 0 },
      validatorPartyHint: HINT,
      nodeIdentifier: HINT,
      validatorWalletUsers: ["alice"],
      participantAddress: "127.0.0.1",
      auth: { audience: VALIDATOR_AUDIENCE },
      callsign: {
        ...process("validator"),
        port: ports["validator"],
        participantUrl: `http://127.0.0.1:${ports["ledger"]}`,
        onboardingSecret: "acme-onboarding-secret",
        auth: SHARED,
        participantAuth: {
          type: "self-signed",
          user: "ledger-api-user",
          audience: LEDGER_AUDIENCE,
          secret: SECRET,
        },
      },
    },
  };
}

/** `persistence` of a values file, and the secret that its password comes from. */
export function persistenceOf({ host, port, user, password, database, schema }: PostgresConfig) {
  return { persistence: { host, port, user, password, databaseName: database, schema } };
}
