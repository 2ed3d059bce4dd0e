// One scan of four misbehaves: the validators answer as before, and names can still be bought.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChoiceContext, Transaction } from "../../packages/api/src/index.ts";
import type { ScanBehaviour } from "../../packages/api/src/local-network/api.ts";
import {
  Amulet,
  AmuletTransferInstruction,
  decimal,
  type JsonValue,
} from "../../packages/ledger/src/index.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";

/** The first of its owner's names. Of live names a liar denies every second one, by its length. */
const KNOWN = "0-known.unverified.cns";
const OTHER = "others.unverified.cns";
const UNKNOWN = "nobody.unverified.cns";
const SCANS = [1, 2, 3, 4];

interface ExerciseCommand {
  readonly templateId: string;
  readonly contractId: string;
  readonly choice: string;
}

let world: LocalNetwork;
let honest: readonly unknown[];

beforeAll(async () => {
  world = await LocalNetwork.start();
  await world.tap("app-user", "100");
  await world.buy("app-user", { name: KNOWN, url: "https://example.com" });
  await world.buy("app-user", { name: OTHER });
  honest = await readAll();
});
afterAll(() => world?.close());

async function behave(number: number, behaviour: ScanBehaviour): Promise<void> {
  await world.development.setScanBehaviour({ params: { number: String(number) }, body: { behaviour } });
}

async function allHonest(): Promise<void> {
  for (const number of SCANS) await behave(number, "honest");
}

/** The lookups that an app makes through the proxy. */
async function readAll(): Promise<readonly unknown[]> {
  const proxy = world.validator("app-user");
  const party = await world.party("app-user");
  const calls = [
    proxy.scanProxyLookupAnsEntryByName({ params: { name: KNOWN } }),
    proxy.scanProxyLookupAnsEntryByName({ params: { name: OTHER } }),
    proxy.scanProxyLookupAnsEntryByName({ params: { name: UNKNOWN } }),
    proxy.scanProxyLookupAnsEntryByName({ params: { name: "dso.cns" } }),
    proxy.scanProxyLookupAnsEntryByParty({ params: { party } }),
    proxy.scanProxyListAnsEntries({ query: { name_prefix: "o", page_size: 1 } }),
    proxy.scanProxyGetAnsRules(),
    proxy.scanProxyGetAmuletRules(),
    proxy.scanProxyGetDsoPartyId(),
    proxy.scanProxyGetOpenAndIssuingMiningRounds(),
    proxy.scanProxyGetRegistryInfo(),
    proxy.scanProxyGetAllocationFactory({ body: { choiceArguments: {} } }),
    proxy.scanProxyGetDsoInfo().then(({ sv_user: _user, sv_party_id: _party, ...shared }) => shared),
  ];
  return await Promise.all(calls.map(outcomeOf));
}

test("with honest scans, lookups and listings are right", async () => {
  const [known, other, unknown, dso] = honest as { status: number; body: { entry?: { user: string } } }[];
  const party = await world.party("app-user");
  expect([known?.status, other?.status, unknown?.status, dso?.status]).toEqual([200, 200, 404, 200]);
  expect([known?.body.entry?.user, other?.body.entry?.user]).toEqual([party, party]);
  expect(honest.slice(4)).toEqual(Array.from({ length: 9 }, () => expect.objectContaining({ status: 200 })));
});

describe.each([
  { behaviour: "lie", number: 1 },
  { behaviour: "lie", number: 4 },
  { behaviour: "lag", number: 2 },
  { behaviour: "hang", number: 3 },
  { behaviour: "error", number: 4 },
  { behaviour: "stop", number: 1 },
] as const)("with scan $number misbehaving ($behaviour)", ({ behaviour, number }) => {
  test("proxied lookups stay right", async () => {
    await behave(number, behaviour);
    for (let i = 0; i < 4; i++) expect(await readAll()).toEqual(honest);
  });

  test("proxied lookups do not wait for it", async () => {
    const { scanProxyLookupAnsEntryByName } = world.validator("app-user");
    // Each that waited would take until the deadline of a scan: together longer than a test may.
    for (let i = 0; i < 30; i++) await scanProxyLookupAnsEntryByName({ params: { name: KNOWN } });
  });

  test("names can be bought, and are found at once", async () => {
    const name = await world.buy("app-user", { name: `while-${behaviour}-${number}` });
    const { entry } = await world.validator("app-user").scanProxyLookupAnsEntryByName({ params: { name } });
    expect(entry.user).toBe(await world.party("app-user"));
    expect(await world.owned("app-user")).toContain(name);
    const held = await outcomeOf(world.request("app-provider", { name }));
    expect(held.status).toBe(409);
    await allHonest();
    expect(await world.owner(name, number)).toBe(entry.user);
    honest = await readAll();
  });
});

describe("the token standard's registry under the proxy", () => {
  const STANDARD = "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1";

  /** By the JSON Ledger API alone, with the context as the proxy gives it. */
  async function exercise(
    node: "app-user" | "app-provider",
    command: ExerciseCommand,
    { choiceContextData, disclosedContracts }: ChoiceContext,
    argument: Readonly<Record<string, JsonValue>> = {},
  ): Promise<Transaction> {
    const extraArgs = { context: choiceContextData, meta: { values: {} } };
    const exercised = { ...command, choiceArgument: { ...argument, extraArgs } };
    const { transaction } = await world.ledger(node, world.tokenOf(node)).submitAndWaitForTransaction({
      body: {
        commands: {
          ...{ commandId: crypto.randomUUID(), actAs: [await world.party(node)], disclosedContracts },
          commands: [{ ExerciseCommand: exercised }],
        },
      },
    });
    return transaction;
  }

  test("its factory and contexts move coin to a party elsewhere, while a scan lies", async () => {
    await behave(1, "lie");
    const [proxy, other] = [world.validator("app-user"), world.validator("app-provider")];
    const [sender, receiver] = [await world.party("app-user"), await world.party("app-provider")];
    const before = await world.unlocked("app-provider");
    const { adminId } = await proxy.scanProxyGetRegistryInfo();
    const coins = await world.listActive(Amulet, sender);
    const transfer = {
      ...{ sender, receiver, amount: "2.5", instrumentId: { admin: adminId, id: "Amulet" } },
      requestedAt: new Date(Date.now() - 60_000).toISOString(),
      executeBefore: new Date(Date.now() + 3_600_000).toISOString(),
      inputHoldingCids: coins.map(({ contractId }) => contractId),
      meta: { values: {} },
    };
    const none = { context: { values: {} }, meta: { values: {} } };
    const { factoryId, transferKind, choiceContext } = await proxy.scanProxyGetTransferFactory({
      body: { choiceArguments: { expectedAdmin: adminId, transfer, extraArgs: none } },
    });
    expect(transferKind).toBe("offer");
    const factory = {
      ...{ templateId: `${STANDARD}:TransferFactory`, contractId: factoryId },
      choice: "TransferFactory_Transfer",
    };
    const offered = await exercise("app-user", factory, choiceContext, { expectedAdmin: adminId, transfer });
    const created = offered.events.flatMap((event) => ("CreatedEvent" in event ? [event.CreatedEvent] : []));
    const instruction = created.find(({ templateId }) => templateId === AmuletTransferInstruction.id);
    const contractId = instruction?.contractId ?? "";
    const context = await other.scanProxyGetTransferInstructionAcceptContext({
      params: { transferInstructionId: contractId },
    });
    const templateId = `${STANDARD}:TransferInstruction`;
    const accepting = { templateId, contractId, choice: "TransferInstruction_Accept" };
    await exercise("app-provider", accepting, context);
    await world.net.settle();
    expect(await world.unlocked("app-provider")).toBe(before + decimal("2.5"));
    await allHonest();
  });
});

describe("with several misbehaving scans", () => {
  test("two scans that are wrong in different ways cause no wrong answer", async () => {
    await behave(2, "lag");
    await behave(1, "lie");
    const name = await world.buy("app-user", { name: "between-two" });
    const party = await world.party("app-user");
    for (let i = 0; i < 8; i++) {
      const proxy = world.validator("app-user");
      const { status, body } = await outcomeOf(proxy.scanProxyLookupAnsEntryByName({ params: { name } }));
      expect([200, 502]).toContain(status);
      if (status === 200) expect(body).toMatchObject({ entry: { user: party } });
    }
    await allHonest();
  });

  test("three scans that are wrong in different ways cause an error that says so", async () => {
    await behave(1, "lag");
    const name = await world.buy("app-user", { name: "between-three" });
    await behave(2, "lie");
    await behave(3, "error");
    const proxy = world.validator("app-user");
    const before = world.net.svs[3]?.replica.state.head.sequence;
    const [asked, ...answers] = await Promise.all([
      outcomeOf(world.request("app-provider", { name: "while-three" })),
      ...[1, 2, 3].map(() => outcomeOf(proxy.scanProxyLookupAnsEntryByName({ params: { name } }))),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(502);
      expect(body).toEqual({ error: expect.stringMatching(/4/) });
    }
    expect(asked.status).toBeGreaterThanOrEqual(500);
    expect(world.net.svs[3]?.replica.state.head.sequence).toBe(before);
  });

  test("lookups are right again once the scans are honest again", async () => {
    await allHonest();
    // A read that an automation began a moment ago may be joined, and end as it must.
    await expect.poll(readAll, { timeout: 60_000 }).toEqual(honest);
    const name = "between-three.unverified.cns";
    const { entry } = await world.validator("app-user").scanProxyLookupAnsEntryByName({ params: { name } });
    expect(entry.user).toBe(await world.party("app-user"));
    await world.buy("app-user", { name: "after-all" });
    expect(await world.owner("after-all.unverified.cns")).toBe(entry.user);
  });
});

test("readers of scans and participants work on while one SV's ports are closed", async () => {
  await world.net.svs[3]?.close();
  for (let i = 0; i < 3; i++) expect(await readAll()).toEqual(honest);
  const { name, subscriptionRequestCid } = await world.request("app-user", { name: "with-three" });
  await world.accept("app-user", subscriptionRequestCid);
  await expect.poll(() => world.owner(name), { timeout: 60_000 }).toBe(await world.party("app-user"));
});
