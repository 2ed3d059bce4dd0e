/**
 * A network as operators run it: a process of SVs, and two nodes of a participant and a validator each, all from values
 * files, on machines of their own. They keep their data in PostgreSQL, speak TLS on every port, take their tokens from an
 * OpenID provider, and reach the SVs through a forward proxy.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Server as ForwardProxy } from "proxy-chain";
import type { TestContext } from "vitest";
import { createClient, type Fetch, ledgerApi, scanApi, validatorApi } from "../../packages/api/src/index.ts";
import { openHttpClient } from "../../packages/node/src/http-client/http-client.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  newPrivateKeys,
  type OpenIdProvider,
  secretOf,
  startOpenIdProvider,
  VALIDATOR_CLIENT,
} from "../auth/openid-provider.ts";
import { CertificateAuthority, writeCertificate } from "../support/certificates.ts";
import { type Machine, type Machines, makeMachines } from "../support/machines.ts";
import { ownServer } from "../support/postgres.ts";
import { PASSWORD, type PostgresServer } from "../support/postgres-server.ts";
import { RoleProcess } from "./role-process.ts";

const LEDGER_AUDIENCE = "https://ledger.example.com";
const VALIDATOR_AUDIENCE = "https://validator.example.com";
/**
 * The life of a name fits into a test; after a renewal it goes on for long enough that no outage of a process or of the
 * database outlasts it.
 */
export const LIFETIME_SECONDS = 40;
const RENEWAL_SECONDS = 35;

/** The user that both validators are, each on its own participant. */
const SERVICE_USER = `${VALIDATOR_CLIENT}@clients`;

/** An operator, and the client of the OpenID provider that has its wallet. */
const OPERATORS = [
  { name: "acme-validator-1", person: "backend", secret: "acme's onboarding secret" },
  { name: "umbrella-validator-1", person: "worker", secret: "umbrella's onboarding secret" },
] as const;

export interface OperatorNode {
  readonly participant: RoleProcess;
  readonly validator: RoleProcess;
  /** The client of the OpenID provider that owns its wallet. */
  readonly person: string;
}

export class OperatorNetwork {
  readonly machines: Machines;
  readonly postgres: PostgresServer;
  readonly proxy: ForwardProxy;
  readonly sv: RoleProcess;
  readonly nodes: readonly OperatorNode[];
  /** Trusts the network's authority. */
  readonly fetch: Fetch;
  readonly #provider: OpenIdProvider;
  readonly #authority: CertificateAuthority;
  readonly #folder: string;

  private constructor(parts: NetworkParts) {
    const { machines, postgres, proxy, provider, authority, folder } = parts;
    this.machines = machines;
    this.postgres = postgres;
    this.proxy = proxy;
    this.#provider = provider;
    this.#authority = authority;
    this.#folder = folder;
    const [, sv, ...others] = machines.machines;
    if (sv === undefined) throw new Error("there is no machine for the SVs");
    this.sv = svProcess(parts, sv);
    this.nodes = OPERATORS.map((operator, i) => {
      const [participant, validator] = others.slice(2 * i, 2 * i + 2);
      if (participant === undefined || validator === undefined) throw new Error("there are too few machines");
      return {
        person: operator.person,
        participant: participantProcess(parts, operator, participant),
        validator: validatorProcess(parts, operator, { validator, participant, sv }),
      };
    });
    this.fetch = parts.fetch;
  }

  /** Resolves when every process is ready. Skips if there is no PostgreSQL. */
  static async start(atEnd: AtEnd, skip: Skip, terms: NetworkTerms = TERMS): Promise<OperatorNetwork> {
    const network = new OperatorNetwork({ ...(await prepare(atEnd, skip)), terms });
    const processes = network.processes();
    atEnd(async () => void (await Promise.all(processes.map((each) => each.stop("SIGKILL")))));
    for (const each of processes) each.start();
    await network.ready();
    return network;
  }

  processes(): readonly RoleProcess[] {
    return [this.sv, ...this.nodes.flatMap(({ participant, validator }) => [validator, participant])];
  }

  async ready(): Promise<void> {
    for (const each of this.processes()) await each.ready(this.fetch);
  }

  /** A person's token for the validator. */
  token(person: string): Promise<string> {
    return this.#provider.token(person, VALIDATOR_AUDIENCE);
  }

  validator({ validator, person }: OperatorNode) {
    const baseUrl = `https://${validator.machine.address}:5003/api/validator`;
    return createClient(validatorApi, { fetch: this.fetch, baseUrl, token: () => this.token(person) });
  }

  ledger({ participant }: OperatorNode, client: string) {
    const baseUrl = `https://${participant.machine.address}:7575`;
    const token = () => this.#provider.token(client, LEDGER_AUDIENCE);
    return createClient(ledgerApi, { fetch: this.fetch, baseUrl, token });
  }

  scan() {
    const baseUrl = `https://${this.sv.machine.address}:5012/api/scan`;
    return createClient(scanApi, { fetch: this.fetch, baseUrl });
  }

  /** Writes another certificate in the place of a machine's. */
  async renewCertificate({ address }: Machine): Promise<void> {
    await giveCertificate(this.#folder, this.#authority, address);
  }
}

export interface NetworkTerms {
  readonly lifetimeSeconds: number;
  readonly renewalSeconds: number;
  /** Operators by their numbers whose stores are files of SQLite. */
  readonly embedded: readonly number[];
}

const TERMS: NetworkTerms = {
  lifetimeSeconds: LIFETIME_SECONDS,
  renewalSeconds: RENEWAL_SECONDS,
  embedded: [],
};

interface NetworkParts {
  readonly terms: NetworkTerms;
  readonly folder: string;
  readonly machines: Machines;
  readonly authority: CertificateAuthority;
  readonly postgres: PostgresServer;
  readonly provider: OpenIdProvider;
  readonly proxy: ForwardProxy;
  readonly fetch: Fetch;
}

type Skip = Pick<TestContext, "skip">;

async function prepare(atEnd: AtEnd, skip: Skip): Promise<Omit<NetworkParts, "terms">> {
  const folder = temporaryFolder(atEnd);
  const machines = makeMachines(2 + 2 * OPERATORS.length);
  atEnd(machines.remove);
  const [own] = machines.machines;
  if (own === undefined) throw new Error("there is no machine for the test");
  const authority = await CertificateAuthority.create();
  writeFileSync(join(folder, "authority.crt"), authority.certificate);
  for (const { address } of machines.machines) await giveCertificate(folder, authority, address);
  const postgres = await ownServer(
    {
      isDurable: true,
      address: own.address,
      certificates: {
        ...(await authority.issue("database", { names: [own.address] })),
        clientAuthority: authority.certificate,
      },
      access: ["hostssl all all all scram-sha-256"],
    },
    atEnd,
    skip,
  );
  const resource = (audience: string) => ({ audience, alg: "RS256", seconds: 600 }) as const;
  const provider = await startOpenIdProvider(
    {
      host: own.address,
      keys: await newPrivateKeys(),
      resources: Object.fromEntries(
        [LEDGER_AUDIENCE, VALIDATOR_AUDIENCE].map((audience) => [audience, resource(audience)]),
      ),
    },
    atEnd,
  );
  const proxy = new ForwardProxy({ host: own.address, port: 0 });
  await proxy.listen();
  atEnd(() => proxy.close(true));
  const client = openHttpClient(systemHost, { tls: { trustCollectionFile: join(folder, "authority.crt") } });
  atEnd(() => client.close());
  return { folder, machines, authority, postgres, provider, proxy, fetch: client.fetch };
}

function folderOf(folder: string, address: string): string {
  return join(folder, address);
}

async function giveCertificate(folder: string, authority: CertificateAuthority, address: string) {
  const own = folderOf(folder, address);
  mkdirSync(own, { recursive: true });
  writeCertificate(own, await authority.issue(address, { names: [address] }));
}

/** The keys that every process has. */
function processValues({ folder }: NetworkParts, { address }: Machine) {
  const own = folderOf(folder, address);
  return {
    address,
    dataFolder: join(own, "data"),
    log: { level: "INFO", format: "json" },
    tls: { api: { certChainFile: join(own, "tls.crt"), privateKeyFile: join(own, "tls.key") } },
  };
}

function environmentOf({ folder }: NetworkParts) {
  return { NODE_EXTRA_CA_CERTS: join(folder, "authority.crt") };
}

function svProcess(parts: NetworkParts, machine: Machine): RoleProcess {
  const values = {
    svs: [1, 2, 3, 4].map((number, i) => ({
      name: `sv-${number}`,
      operators: ["operator"],
      expectedSecrets: i === 0 ? OPERATORS.map(({ secret }) => secret) : [],
    })),
    network: {
      isDevNet: true,
      tickDuration: "20s",
      // Names are renewed all the time.
      freeTrafficBytes: 4_000_000,
      initialAnsConfig: {
        entryLifetime: `${parts.terms.lifetimeSeconds}s`,
        renewalDuration: `${parts.terms.renewalSeconds}s`,
      },
    },
    auth: { audience: VALIDATOR_AUDIENCE, jwksUrl: parts.provider.jwksUrl },
    callsign: processValues(parts, machine),
  };
  return new RoleProcess(machine, {
    ...{ role: "sv", folder: folderOf(parts.folder, machine.address), values },
    environment: environmentOf(parts),
  });
}

type Operator = (typeof OPERATORS)[number];

/** The database of a role, whose name carries the migration id. */
function persistenceOf(parts: NetworkParts, operator: Operator, schema: string) {
  const { folder, machines, postgres, terms } = parts;
  const { name } = operator;
  if (terms.embedded.includes(OPERATORS.indexOf(operator))) return {};
  return {
    persistence: {
      host: machines.machines[0]?.address,
      port: postgres.port,
      databaseName: `${name.split("-")[0]}_${schema}_0`,
      schema,
      secretName: "postgres-secrets",
      ssl: true,
      sslmode: "verify-full",
      sslrootcert: join(folder, "authority.crt"),
    },
  };
}

const DATABASE_SECRET = { "postgres-secrets": { postgresPassword: PASSWORD } };

function jvmOptions({ machines, proxy }: NetworkParts, direct: string): string {
  const host = machines.machines[0]?.address;
  return `-Dhttps.proxyHost=${host} -Dhttps.proxyPort=${proxy.port} -Dhttps.nonProxyHosts=${direct}`;
}

function participantProcess(parts: NetworkParts, operator: Operator, machine: Machine): RoleProcess {
  const { folder, provider } = parts;
  const values = {
    ...persistenceOf(parts, operator, "participant"),
    nodeIdentifier: operator.name,
    migration: { id: "0" },
    auth: { jwksUrl: provider.jwksUrl, targetAudience: LEDGER_AUDIENCE },
    participantAdminUserNameFrom: {
      secretKeyRef: { name: "splice-app-validator-ledger-api-auth", key: "ledger-api-user" },
    },
    additionalJvmOptions: jvmOptions(parts, machine.address),
    callsign: processValues(parts, machine),
  };
  return new RoleProcess(machine, {
    ...{ role: "participant", folder: folderOf(folder, machine.address), values },
    secrets: {
      ...DATABASE_SECRET,
      "splice-app-validator-ledger-api-auth": { "ledger-api-user": SERVICE_USER },
    },
    environment: environmentOf(parts),
  });
}

interface Neighbours {
  readonly validator: Machine;
  readonly participant: Machine;
  readonly sv: Machine;
}

function validatorProcess(parts: NetworkParts, operator: Operator, machines: Neighbours): RoleProcess {
  const { folder, provider } = parts;
  const { validator: machine, participant, sv } = machines;
  const values = {
    ...persistenceOf(parts, operator, "validator"),
    svSponsorAddress: `https://${sv.address}:5014`,
    onboardingSecretFrom: {
      secretKeyRef: { name: "splice-app-validator-onboarding-validator", key: "secret" },
    },
    scanAddress: `https://${sv.address}:5012`,
    validatorPartyHint: operator.name,
    nodeIdentifier: operator.name,
    migration: { id: "0" },
    validatorWalletUsers: [operator.person],
    auth: { audience: VALIDATOR_AUDIENCE, jwksUrl: provider.jwksUrl },
    contactPoint: `${operator.person}@example.com`,
    enableWallet: true,
    topup: { enabled: false },
    additionalJvmOptions: jvmOptions(parts, participant.address),
    callsign: {
      ...processValues(parts, machine),
      participantUrl: `https://${participant.address}:7575`,
    },
  };
  return new RoleProcess(machine, {
    ...{ role: "validator", folder: folderOf(folder, machine.address), values },
    secrets: {
      ...DATABASE_SECRET,
      "splice-app-validator-onboarding-validator": { secret: operator.secret },
      "splice-app-validator-ledger-api-auth": {
        "ledger-api-user": SERVICE_USER,
        url: provider.wellKnownUrl,
        "client-id": VALIDATOR_CLIENT,
        "client-secret": secretOf(VALIDATOR_CLIENT),
        audience: LEDGER_AUDIENCE,
        scope: "daml_ledger_api",
      },
    },
    environment: environmentOf(parts),
  });
}
