// Every call of the published clients: docs/clients.md says which work, and those are made here, unmodified.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";
import { allocate, createPreference } from "./actors.ts";
import { callsOf, declaredMethods, declaredPaths } from "./declared-calls.ts";
import { type CallFacts, type Calls, ledgerCalls, refusedLedgerCalls } from "./ledger-calls.ts";
import { ledgerClient, scanClient, scanProxyClient, validatorClient } from "./real-clients.ts";
import { openSdk, type Sdk, sdkCalls } from "./sdk-calls.ts";
import { proxyCalls, scanCalls, validatorCalls } from "./splice-calls.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/clients.md"), "utf8");

/** The calls of one section of the document, by the state that it gives them. */
function documented(client: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = document.split(`\n## \`${client}\``);
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| (`.*`) \| (.*) \|$/gm);
  const calls = new Map<string, string[]>();
  for (const [, names = "", state = ""] of rows) {
    const listed = [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    calls.set(state, [...(calls.get(state) ?? []), ...listed]);
  }
  return calls;
}

const WORKS = "works";
const NOT_OFFERED = "not offered: 501, with the alternative";
const EMPTY = "answered; the client takes every empty answer for an error";
const TEXT = "answered with text, which the client cannot read";

let world: LocalNetwork;
let facts: CallFacts;
let sdk: Sdk;

beforeAll(async () => {
  world = await LocalNetwork.start();
  const client = ledgerClient(world.net.nodes["app-user"].ledgerUrl);
  const party = await allocate(client, "caller");
  const actor = { client, party, user: "ledger-api-user" };
  await client.grantRights(actor.user, { actAs: [party as never] });
  const { transaction } = await client.post("/v2/commands/submit-and-wait-for-transaction", {
    commands: createPreference(actor),
  });
  const [created] = transaction.events ?? [];
  if (created === undefined || !("CreatedEvent" in created)) throw new Error("nothing was created");
  await world.tap("app-user", "10");
  const name = await world.buy("app-user", "caller");
  const ledger = world.ledger();
  facts = {
    ...{ user: actor.user, party: actor.party, name, owner: await world.party("app-user") },
    ...{
      contractId: created.CreatedEvent.contractId,
      updateId: transaction.updateId,
      offset: transaction.offset,
    },
    packageId: (await ledger.listPackages()).packageIds[0] ?? "",
    participantId: (await ledger.getParticipantId()).participantId,
    synchronizerId: transaction.synchronizerId,
    submission: () => createPreference(actor),
  };
  sdk = await openSdk(world);
});
afterAll(() => world?.close());

const TYPES = "core-ledger-client-types/dist/generated-clients/openapi";
const SPLICE = "core-splice-client/dist";
const NAMESPACES = ["keys", "ledger", "party", "user", "utils", "amulet", "token", "asset", "events"];

function methodsOf(file: string, name: string): readonly string[] {
  return declaredMethods(file, name).filter((method) => !["get", "post", "patch"].includes(method));
}

function declaredOf(paths: string, file: string, name: string): readonly string[] {
  return [
    ...methodsOf(`${SPLICE}/${file}.d.ts`, name),
    ...declaredPaths(`${SPLICE}/generated-clients/${paths}.d.ts`, ["get", "post"]),
  ];
}

const ledgerPaths = ["3.4.12", "3.5.1"].flatMap((version) =>
  declaredPaths(`${TYPES}-${version}.d.ts`, ["get", "post", "patch"]),
);

interface Published {
  readonly client: string;
  /** Every call that the package declares. */
  readonly declared: () => readonly string[];
  readonly calls: () => Calls;
  /** A call of a path that is not served. */
  readonly call?: (name: string) => Promise<unknown>;
}

const nodeUrl = () => `${world.net.nodes["app-user"].validatorUrl}/api/validator`;
const scanUrl = () => `${world.net.svs[1]?.scanUrl}/api/scan`;

const published: readonly Published[] = [
  {
    client: "LedgerClient",
    declared: () => [
      ...methodsOf("core-ledger-client/dist/ledger-client.d.ts", "LedgerClient"),
      ...ledgerPaths,
    ],
    calls: () => ledgerCalls(ledgerClient(world.net.nodes["app-user"].ledgerUrl), facts, ledgerPaths),
  },
  {
    client: "ScanClient",
    declared: () => declaredOf("scan", "scan-client", "ScanClient"),
    calls: () => scanCalls(scanClient(scanUrl()), scanUrl(), facts),
  },
  {
    client: "ScanProxyClient",
    declared: () => declaredOf("scan-proxy", "scan-proxy-client", "ScanProxyClient"),
    calls: () => proxyCalls(scanProxyClient(nodeUrl(), "app-user"), nodeUrl(), facts),
  },
  {
    client: "ValidatorInternalClient",
    declared: () => declaredOf("validator-internal", "validator-internal-client", "ValidatorInternalClient"),
    calls: () => validatorCalls(validatorClient(nodeUrl(), "ledger-api-user"), facts),
  },
  {
    client: "wallet-sdk",
    declared: () => [
      ...["SDK.create", "SDK.createOffline", "getValidatorParty", "extend", "registerPlugins"],
      ...callsOf(sdk.sdk, NAMESPACES, "wallet-sdk/dist"),
    ],
    calls: () => sdkCalls(() => sdk, { world, packageId: facts.packageId }),
  },
];

describe.each(published)("$client", ({ client, declared, calls }) => {
  test("the document has every call of the package once, and says of those that are made here that they work", () => {
    const states = documented(client);
    const all = [...states.values()].flat();
    expect([...all].sort()).toEqual([...new Set(declared())].sort());
    expect([...(states.get(WORKS) ?? [])].sort()).toEqual(Object.keys(calls()).sort());
  });

  test("every call that works is made", async () => {
    for (const [name, run] of Object.entries(calls())) {
      await run().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : JSON.stringify(error);
        throw new Error(`${client} ${name}: ${reason}`, { cause: error });
      });
    }
  });
});

test("paths that the document calls not offered say so, and what to use instead", async () => {
  const scan = scanClient(scanUrl()) as unknown as Record<
    "get" | "post",
    (path: string, body?: unknown) => Promise<unknown>
  >;
  const names = documented("ScanClient").get(NOT_OFFERED) ?? [];
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const [method, path = ""] = name.split(" ") as ["get" | "post", string];
    const refused = await scan[method](path, {}).catch((error: unknown) => error);
    expect([name, refused]).toEqual([name, { error: expect.stringContaining("Instead, ") }]);
  }
});

test("calls of the ledger client that need more than there is are refused with a code", async () => {
  const refused = refusedLedgerCalls(ledgerClient(world.net.nodes["app-user"].ledgerUrl), facts);
  const named = documented("LedgerClient");
  const others = [...named]
    .filter(([state]) => ![WORKS, EMPTY, TEXT].includes(state))
    .flatMap(([, names]) => names);
  expect(others.sort()).toEqual(Object.keys(refused).sort());
  for (const [name, run] of Object.entries(refused)) {
    const answer = await run().catch((error: unknown) => error);
    expect([name, answer]).toEqual([
      name,
      expect.objectContaining({ code: expect.stringMatching(/^[A-Z_]+$/) }),
    ]);
  }
});

test("an empty answer, and one of text, is an error of the client itself", async () => {
  const ledger = ledgerClient(world.net.nodes["app-user"].ledgerUrl);
  const validator = validatorClient(nodeUrl(), "ledger-api-user");
  const probes = ["get /readyz", "get /livez"];
  expect(documented("ScanClient").get(EMPTY)).toEqual([...probes, "get /v0/migrations/schedule"]);
  expect(documented("ValidatorInternalClient").get(EMPTY)).toEqual([
    ...probes,
    "post /v0/admin/users/offboard",
  ]);
  expect(documented("LedgerClient").get(EMPTY)).toEqual(["get /livez"]);
  expect(documented("LedgerClient").get(TEXT)).toEqual(["get /readyz"]);
  for (const path of ["/readyz", "/livez"] as const) {
    await expect(scanClient(scanUrl()).get(path)).rejects.toBeUndefined();
    await expect(validator.get(path)).rejects.toBeUndefined();
  }
  await expect(scanClient(scanUrl()).get("/v0/migrations/schedule")).rejects.toBeUndefined();
  const query = { username: "nobody" };
  await expect(
    validator.post("/v0/admin/users/offboard", undefined as never, { query }),
  ).rejects.toBeUndefined();
  await expect(ledger.get("/livez")).rejects.toBeUndefined();
  await expect(ledger.get("/readyz")).rejects.toThrow(SyntaxError);
});
