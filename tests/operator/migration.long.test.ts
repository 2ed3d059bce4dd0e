/**
 * An operator's network is migrated to the next id while it is in use: the SVs by `callsign network migrate`, one node on
 * PostgreSQL and one on SQLite by `migration.migrating`. Processes are killed on the way.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { Amulet, decimal } from "../../packages/ledger/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { viewContracts } from "../../packages/synchronizer/src/replica/payload-texts.ts";
import { VALIDATOR_CLIENT } from "../auth/openid-provider.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { buyName } from "./buy-name.ts";
import { OperatorNetwork, type OperatorNode } from "./operator-network.ts";

const MINUTE = 60_000;
/** A name is renewed half a minute after it was bought. */
const LIFETIME_SECONDS = 1200;
const RENEWAL_SECONDS = 1170;
const AMULET = "Splice.Amulet:Amulet";
const NAME = "Splice.Ans:AnsEntry";
const SUBSCRIPTION = "Splice.Wallet.Subscriptions:SubscriptionIdleState";
const LICENSE = "Splice.ValidatorLicense:ValidatorLicense";

interface KnownContract {
  readonly createdAt: bigint;
  readonly payload: string;
}

const atEnd = atEndOfFile();
let network: OperatorNetwork;
let nodes: readonly [OperatorNode, OperatorNode];
/** Every name whose purchase was acknowledged, with its owner. */
const bought = new Map<string, string>();
/** Contracts of the old log at its end, by template and id. */
const old = new Map<string, Map<string, KnownContract>>();

beforeAllOrSkip(async (context) => {
  const terms = { lifetimeSeconds: LIFETIME_SECONDS, renewalSeconds: RENEWAL_SECONDS, embedded: [1] };
  network = await OperatorNetwork.start(atEnd, context, terms);
  nodes = network.nodes as [OperatorNode, OperatorNode];
}, 5 * MINUTE);

test(
  "names are bought and renewed until the processes stop, some of them by a kill",
  async () => {
    for (const node of nodes) await buy(node, `first-of-${node.person}`);
    const name = `first-of-${nodes[0].person}.unverified.cns`;
    const end = await endOf(name);
    await vi.waitUntil(async () => (await endOf(name)) > end, { interval: 200, timeout: 2 * MINUTE });
    let isStopping = false;
    const load = nodes.map(async (node, i) => {
      for (let number = 0; !isStopping; number++)
        await buy(node, `busy-${i}-${number}`).catch(() => undefined);
    });
    await until(() => bought.size >= 6, "the network is busy", 2 * MINUTE);
    const [first, second] = nodes;
    isStopping = true;
    await second.participant.stop("SIGKILL");
    await first.validator.stop("SIGKILL");
    await network.sv.stop("SIGKILL");
    await Promise.all(load);
    expect(await second.validator.stop("SIGTERM")).toBe(0);
    expect(await first.participant.stop("SIGTERM")).toBe(0);
  },
  5 * MINUTE,
);

test(
  "the stopped network is migrated, and every contract of the old log is in the new one",
  async () => {
    const { sv } = network;
    const { code, output } = await sv.run("network", "migrate", "-f", sv.valuesFile);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain("The network is migrated to id 1");
    readContracts(join(sv.dataFolder, "sv-1", "replica.db"));
    expect(output).toContain(`  names: ${contractsOf(NAME).size}\n`);
    expect(output).toContain(`  subscriptions: ${contractsOf(SUBSCRIPTION).size}\n`);
    expect(output).toContain("  licenses: 2\n");
    expect(contractsOf(NAME).size).toBeGreaterThanOrEqual(bought.size);
    // The old id does not run any more.
    sv.start();
    expect(await sv.ended()).toBe(1);
    expect(sv.output).toContain("was migrated from id 0 to id 1: set migration.id to 1");
  },
  3 * MINUTE,
);

test(
  "nodes are refused under the new id without migration.migrating",
  async () => {
    for (const { participant, validator } of nodes) {
      participant.change({ migration: { id: 1 } });
      validator.change({ migration: { id: 1 } });
      for (const each of [participant, validator]) each.start();
      expect(await validator.ended()).toBe(1);
      expect(validator.output).toMatch(
        /store belongs to the network's migration 0, and migrationId is 1: .*set migrating to true/,
      );
    }
    const [first, second] = nodes;
    first.participant.change({ persistence: { databaseName: "acme_participant_1" } });
    // On the same database as before it was refused for that.
    expect(await first.participant.ended()).toBe(1);
    first.participant.start();
    expect(await first.participant.ended()).toBe(1);
    expect(first.participant.output).toMatch(
      /migration 1 is empty, and the database "acme_participant_0" has/,
    );
    expect(await second.participant.ended()).toBe(1);
    expect(second.participant.output).toMatch(
      /participant\.sqlite belongs to the network's migration 0, and/,
    );
  },
  3 * MINUTE,
);

test(
  "participants are carried over before any SV runs, and killed before their first item",
  async () => {
    for (const { participant } of nodes) {
      participant.change({
        migration: { migrating: true },
        callsign: { sequencers: [0, 1, 2, 3].map(sequencerUrl) },
      });
      participant.start();
      await until(
        () => participant.output.includes("the participant was carried over"),
        "it is carried over",
        MINUTE,
      );
      await participant.stop("SIGKILL");
    }
  },
  3 * MINUTE,
);

test(
  "each wallet's coin, names, subscriptions and license come with the new stream: the same ids, times and amounts",
  async () => {
    network.sv.change({ migration: { id: 1 } });
    network.sv.start();
    for (const { participant } of nodes) participant.start();
    await network.sv.ready(network.fetch);
    for (const node of nodes) {
      await node.participant.ready(network.fetch);
      const party = await partyOf(node);
      for (const template of [AMULET, NAME, SUBSCRIPTION, LICENSE]) {
        const expected = [...contractsOf(template)].filter(([, { payload }]) => payload.includes(party));
        expect(expected.length, template).toBeGreaterThan(0);
        const active = await listActive(node, party, template);
        const carried = active.filter(({ contractId }) => contractsOf(template).has(contractId));
        for (const { contractId, createdAt } of carried) {
          const before = contractsOf(template).get(contractId)?.createdAt ?? 0n;
          expect(BigInt(Date.parse(createdAt))).toBe(before / 1000n);
        }
        // SVs go on with payments that were made before: a name may be renewed by now, and have another contract.
        if (template === NAME) expect(active.length).toBeGreaterThanOrEqual(expected.length);
        else
          expect(carried.map(({ contractId }) => contractId).sort()).toEqual(
            expected.map(([id]) => id).sort(),
          );
        if (template !== AMULET) continue;
        const amounts = expected.map(
          ([, { payload }]) => Amulet.record.decode(JSON.parse(payload)).amount.initialAmount,
        );
        expect(sum(carried.map(({ createArgument }) => amountOf(createArgument)))).toBe(sum(amounts));
      }
    }
  },
  4 * MINUTE,
);

test(
  "validators are carried over, one of them killed on the way; names resolve, and tokens still work",
  async () => {
    for (const { validator } of nodes) {
      validator.change({ migration: { migrating: true } });
      validator.start();
    }
    const [{ validator }] = nodes;
    await until(() => validator.output.split("callsign validator listens").length > 2, "it listens", MINUTE);
    await validator.stop("SIGKILL");
    validator.start();
    await network.ready();
    for (const [name, owner] of bought)
      for (const node of nodes) {
        const { entry } = await network.validator(node).scanProxyLookupAnsEntryByName({ params: { name } });
        expect({ name, owner: entry.user }).toEqual({ name, owner });
      }
    for (const node of nodes) {
      const { entries } = await network.validator(node).listAnsEntries();
      const party = await partyOf(node);
      const own = [...bought].filter(([, owner]) => owner === party).map(([name]) => name);
      expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
    }
  },
  4 * MINUTE,
);

test(
  "renewals go on, names are bought, and nodes restart without migration.migrating",
  async () => {
    const name = `first-of-${nodes[1].person}.unverified.cns`;
    const before = await endOf(name);
    for (const node of nodes) await buy(node, `after-migration-of-${node.person}`);
    const bySoon = `after-migration-of-${nodes[1].person}.unverified.cns`;
    const end = await endOf(bySoon);
    await vi.waitUntil(async () => (await endOf(bySoon)) > end, { interval: 200, timeout: 2 * MINUTE });
    expect(await endOf(name)).toBeGreaterThanOrEqual(before);
    for (const { participant, validator } of nodes) {
      for (const each of [validator, participant]) {
        expect(await each.stop("SIGTERM")).toBe(0);
        each.change({ migration: { migrating: false } });
        each.start();
      }
    }
    await network.ready();
    for (const node of nodes) await buy(node, `at-last-of-${node.person}`);
  },
  5 * MINUTE,
);

async function buy(node: OperatorNode, chosen: string): Promise<void> {
  const { name, owner } = await buyName(network, node, chosen);
  bought.set(name, owner);
}

/** SVs of one process have ports a hundred apart. */
function sequencerUrl(sv: number): string {
  return `https://${network.sv.machine.address}:${5008 + 100 * sv}`;
}

async function endOf(name: string): Promise<number> {
  const { entry } = await network.scan().lookupAnsEntryByName({ params: { name } });
  return Date.parse(entry.expires_at ?? "");
}

async function partyOf(node: OperatorNode): Promise<string> {
  const user = `${VALIDATOR_CLIENT}@clients`;
  const found = await network
    .ledger(node, VALIDATOR_CLIENT)
    .getUser({ params: { "user-id": user }, query: {} });
  return found.user.primaryParty;
}

async function listActive(node: OperatorNode, party: string, template: string) {
  const client = network.ledger(node, VALIDATOR_CLIENT);
  const { offset } = await client.getLedgerEnd();
  const identifierFilter = { WildcardFilter: { value: { includeCreatedEventBlob: false } } };
  const filtersByParty = { [party]: { cumulative: [{ identifierFilter }] } };
  const active = await client.listActiveContracts({
    body: { activeAtOffset: offset, eventFormat: { filtersByParty, verbose: false } },
  });
  const events = active.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent] : [],
  );
  return events.filter(({ templateId }) => templateId.endsWith(`:${template}`));
}

function amountOf(argument: unknown): bigint {
  return decimal((argument as { amount: { initialAmount: string } }).amount.initialAmount);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}

function contractsOf(template: string): Map<string, KnownContract> {
  for (const [id, contracts] of old) if (id.endsWith(`:${template}`)) return contracts;
  return new Map();
}

/** Of the stopped network. */
function readContracts(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true });
  viewContracts(database);
  const rows = database
    .prepare("select name, contract_id, payload, created_at from active_contract")
    .all() as unknown as readonly {
    name: string;
    contract_id: string;
    payload: string;
    created_at: bigint;
  }[];
  for (const { name, contract_id, payload, created_at } of rows) {
    const known = old.get(name) ?? new Map<string, KnownContract>();
    old.set(name, known.set(contract_id, { payload, createdAt: created_at }));
  }
  database.close();
}
