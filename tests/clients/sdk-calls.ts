/** The calls of the wallet SDK that need no external party and no DAR, in an order in which each finds its contracts. */
import { getValidatorParty, SDK } from "@canton-network/wallet-sdk";
import { expect } from "vitest";
import { fresh } from "../support/fresh.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import { credentialsOf } from "./real-clients.ts";

const AMULET = "#splice-amulet:Splice.Amulet:Amulet";
const DAY = 86_400_000;

export interface SdkParts {
  readonly world: LocalNetwork;
  readonly packageId: string;
}

export type Sdk = Awaited<ReturnType<typeof openSdk>>;

/** With the addresses of LocalNet: the validator, its scan proxy as the registry, a scan. */
export async function openSdk(world: LocalNetwork) {
  const { ledgerUrl, validatorUrl } = world.net.nodes["app-user"];
  const auth = credentialsOf("ledger-api-user");
  const validator = `${validatorUrl}/api/validator`;
  const registry = new URL(`${validator}/v0/scan-proxy`);
  // Quiet: the SDK logs its tokens.
  const logAdapter = { log: () => undefined } as never;
  const basic = await SDK.create({ auth, ledgerClientUrl: ledgerUrl, logAdapter });
  const sdk = await basic.extend({
    amulet: {
      ...{ auth, validatorUrl: validator, registryUrl: registry },
      scanApiUrl: `${world.net.svs[0]?.scanUrl}/api/scan`,
    },
    token: { auth, validatorUrl: validator, registries: [registry] },
    asset: { auth, registries: [registry] },
    events: { auth, websocketURL: ledgerUrl.replace("http", "ws") },
  });
  return { sdk, registry, validator: new URL(validator), auth };
}

/** A prepared command: with the contracts that its submission discloses. */
type Prepared = readonly [unknown, readonly unknown[]];

export function sdkCalls(opened: () => Sdk, { world, packageId }: SdkParts) {
  const made = { alice: "", bob: "", transfer: "", allocation: "" };
  const namespaces = () => opened().sdk;
  const submit = async ([commands, disclosedContracts]: Prepared, ...actAs: readonly string[]) =>
    await namespaces().ledger.internal.submit({
      commands: [commands].flat(),
      ...{ actAs, disclosedContracts },
    } as never);
  const send = async (amount: string) => {
    const { sdk, registry } = opened();
    const terms = { sender: made.alice, recipient: made.bob, amount, instrumentId: "Amulet" };
    await submit(await sdk.token.transfer.create({ ...terms, registryUrl: registry }), made.alice);
    made.transfer = (await sdk.token.transfer.pending(made.bob))[0]?.contractId ?? "";
  };
  const end = (choice: "accept" | "reject" | "withdraw", actor: "alice" | "bob") => async () => {
    const { sdk, registry } = opened();
    await send("2");
    const given = { transferInstructionCid: made.transfer, registryUrl: registry };
    await submit(await sdk.token.transfer[choice](given), made[actor]);
    expect(await sdk.token.transfer.pending(made.bob)).toEqual([]);
  };
  const allocate = async () => {
    const { sdk } = opened();
    const asset = await sdk.asset.find("Amulet");
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
    const noMeta = { values: {} };
    const instrumentId = { admin: asset.admin, id: asset.id };
    const parties = { sender: made.alice, receiver: made.bob };
    const settlement = {
      executor: made.bob,
      settlementRef: { id: fresh("settlement"), cid: null },
      ...{ requestedAt: at(-1000), allocateBefore: at(DAY), settleBefore: at(2 * DAY), meta: noMeta },
    };
    const transferLeg = { ...parties, amount: "1.0", instrumentId, meta: noMeta };
    const allocationSpecification = { settlement, transferLegId: "leg", transferLeg };
    const prepared = await sdk.token.allocation.instruction.create({
      ...{ allocationSpecification: allocationSpecification as never, asset },
    });
    await submit(prepared, made.alice);
    made.allocation = (await sdk.token.allocation.pending(made.alice))[0]?.contractId ?? "";
    return { allocationCid: made.allocation, asset };
  };
  const settle =
    (choice: "execute" | "withdraw" | "cancel", actors: readonly ("alice" | "bob")[]) => async () => {
      const { sdk } = opened();
      const prepared = await sdk.token.allocation[choice](await allocate());
      await submit(prepared as unknown as Prepared, ...actors.map((actor) => made[actor]));
      expect(await sdk.token.allocation.pending(made.alice)).toEqual([]);
    };
  const contextOf = (choice: "execute" | "withdraw" | "cancel") => async () => {
    const { sdk, registry } = opened();
    if (made.allocation === "") await allocate();
    const given = { allocationCid: made.allocation, registryUrl: registry };
    const context = await sdk.token.allocation.context[choice](given);
    expect(context).toHaveProperty("choiceContextData");
  };
  return {
    "SDK.create": async () => void (await openSdk(world)),
    "SDK.createOffline": async () => expect(SDK.createOffline().keys.generate().publicKey).not.toBe(""),
    extend: async () => expect(namespaces().token).toBeDefined(),
    registerPlugins: async () => expect(namespaces().registerPlugins({})).toBeDefined(),
    getValidatorParty: async () =>
      expect(await getValidatorParty(opened().validator, opened().auth)).toBe(await world.party("app-user")),
    "keys.generate": async () => expect(namespaces().keys.generate().privateKey).not.toBe(""),
    "keys.fingerprint": async () => {
      const { keys } = namespaces();
      expect(await keys.fingerprint(keys.generate().publicKey)).toMatch(/^1220[0-9a-f]{64}$/);
    },
    "utils.ping.create": async () =>
      expect(namespaces().utils.ping.create([{ initiator: "a::1220", responder: "b::1220" }])).toHaveLength(
        1,
      ),
    "party.internal.allocate": async () => {
      for (const name of ["alice", "bob"] as const)
        made[name] = await namespaces().party.internal.allocate({ partyHint: fresh(name) });
    },
    "user.rights.grant": async () => {
      const userRights = { actAs: [made.alice, made.bob] as never };
      await namespaces().user.rights.grant({ userRights });
    },
    "user.rights.list": async () =>
      expect(JSON.stringify(await namespaces().user.rights.list())).toContain(made.alice),
    "party.list": async () =>
      expect(await namespaces().party.list()).toEqual(expect.arrayContaining([made.alice, made.bob])),
    "user.create": async () => {
      const given = { userId: fresh("user"), primaryParty: made.alice as never };
      expect(await namespaces().user.create(given)).toMatchObject({ id: given.userId });
    },
    "user.list": async () => expect((await namespaces().user.list()).users?.length).toBeGreaterThan(1),
    "user.rights.revoke": async () => {
      const given = { userId: fresh("revoked"), primaryParty: made.alice as never };
      await namespaces().user.create({ ...given, userRights: { actAs: [made.alice as never] } });
      await namespaces().user.rights.revoke({
        userId: given.userId,
        userRights: { actAs: [made.alice as never] },
      });
    },
    "ledger.ledgerEnd": async () => expect(await namespaces().ledger.ledgerEnd()).toBeGreaterThan(0),
    "ledger.dar.check": async () => expect(await namespaces().ledger.dar.check(packageId)).toBe(true),
    "asset.list": async () => expect(namespaces().asset.list.map(({ id }) => id)).toEqual(["Amulet"]),
    "asset.find": async () =>
      expect(await namespaces().asset.find("Amulet")).toMatchObject({ symbol: "AMT" }),
    "amulet.tapInternal": async () => {
      const { amulet } = namespaces();
      await amulet.tapInternal("2000", { partyId: made.alice as never });
      // The operator pays for preapprovals.
      await amulet.tapInternal("1000");
    },
    "amulet.tap": async () => submit(await namespaces().amulet.tap(made.bob as never, "50"), made.bob),
    "ledger.internal.submit": async () =>
      submit(await namespaces().amulet.tap(made.alice as never, "5"), made.alice),
    "ledger.acs.read": async () => expect(await readCoins("read")).toBe(2),
    "ledger.acs.readRaw": async () => expect(await readCoins("readRaw")).toBe(2),
    "token.utxos.list": async () =>
      expect(await namespaces().token.utxos.list({ partyId: made.alice as never })).toHaveLength(2),
    "token.utxos.merge": async () => {
      const { utxos } = namespaces().token;
      await submit(await utxos.merge({ partyId: made.alice as never }), made.alice);
      expect(await utxos.list({ partyId: made.alice as never })).toHaveLength(1);
    },
    "token.transfer.create": () => send("3"),
    "token.transfer.pending": async () =>
      expect(await namespaces().token.transfer.pending(made.bob)).toMatchObject([
        { contractId: made.transfer },
      ]),
    "token.transfer.accept": async () => {
      const { sdk, registry } = opened();
      const given = { transferInstructionCid: made.transfer, registryUrl: registry };
      await submit(await sdk.token.transfer.accept(given), made.bob);
    },
    "token.transfer.reject": end("reject", "bob"),
    "token.transfer.withdraw": end("withdraw", "alice"),
    "token.holdings": async () => {
      const { transactions } = await namespaces().token.holdings({ partyId: made.bob as never });
      expect(transactions.length).toBeGreaterThan(1);
    },
    "token.transactionsById": async () => {
      const { transactions } = await namespaces().token.holdings({ partyId: made.bob as never });
      const updateId = transactions[0]?.updateId ?? "";
      const found = await namespaces().token.transactionsById({ updateId, partyId: made.bob as never });
      expect(found).toMatchObject({ updateId });
    },
    "token.allocation.instruction.create": async () => void (await allocate()),
    "token.allocation.pending": async () =>
      expect(await namespaces().token.allocation.pending(made.alice)).toHaveLength(1),
    "token.allocation.context.execute": contextOf("execute"),
    "token.allocation.context.withdraw": contextOf("withdraw"),
    "token.allocation.context.cancel": contextOf("cancel"),
    "token.allocation.instruction.pending": async () =>
      expect(await namespaces().token.allocation.instruction.pending(made.alice)).toEqual([]),
    "token.allocation.request.pending": async () =>
      expect(await namespaces().token.allocation.request.pending(made.alice)).toEqual([]),
    "amulet.traffic.status": async () =>
      expect(await namespaces().amulet.traffic.status()).toHaveProperty("traffic_status.actual"),
    "amulet.traffic.buy": async () => {
      const { amulet, token } = namespaces();
      const coins = await token.utxos.list({ partyId: made.alice as never, includeLocked: false });
      const inputUtxos = coins.map(({ contractId }) => contractId);
      const prepared = await amulet.traffic.buy({
        buyer: made.alice as never,
        ccAmount: 200_000,
        inputUtxos,
      });
      await submit(prepared, made.alice);
      expect(await amulet.traffic.status()).toMatchObject({
        traffic_status: { target: { total_purchased: 200_000 } },
      });
    },
    "amulet.preapproval.command.create": async () => {
      const command = await namespaces().amulet.preapproval.command.create({
        parties: { receiver: made.bob as never },
      });
      await submit([command, []], made.bob);
    },
    "amulet.preapproval.fetchStatus": async () => {
      const options = { timeoutMs: 30_000, intervalMs: 50 };
      expect(await namespaces().amulet.preapproval.fetchStatus(made.bob as never, options)).toHaveProperty(
        "contractId",
      );
    },
    "amulet.preapproval.fetchQuick": async () =>
      expect(await namespaces().amulet.preapproval.fetchQuick(made.bob as never)).toHaveProperty("contract"),
    "amulet.preapproval.renew": async () => {
      const given = { parties: { receiver: made.bob as never }, expiresAt: new Date(Date.now() + 120 * DAY) };
      expect(await namespaces().amulet.preapproval.renew(given)).toHaveProperty("updateId");
    },
    "amulet.preapproval.command.cancel": async () => {
      const { preapproval } = namespaces().amulet;
      await submit(
        (await preapproval.command.cancel({ parties: { receiver: made.bob as never } })) as Prepared,
        made.bob,
      );
      const options = { cancelled: true, timeoutMs: 30_000, intervalMs: 50 };
      expect(await preapproval.fetchStatus(made.bob as never, options)).toBeNull();
    },
    "amulet.featuredApp.rights": async () => {
      const { featuredApp } = namespaces().amulet;
      const lookUp = { partyId: await world.party("app-user"), maxRetries: 1, delayMs: 1 };
      expect(await featuredApp.rights(lookUp)).toBeUndefined();
      await world.validator("app-user").selfGrantFeatureAppRight();
      await world.settle();
      expect(await featuredApp.rights(lookUp)).toHaveProperty("contract_id");
    },
    // Without a right it looks one up for 20 seconds before it asks for one.
    "amulet.featuredApp.grant": async () =>
      expect(await namespaces().amulet.featuredApp.grant()).toHaveProperty("contract_id"),
    "events.updates": async () => {
      const updates = namespaces().events.updates({
        beginOffset: 0,
        partyId: made.alice as never,
        templateIds: [AMULET],
      });
      expect((await updates.next()).value).toHaveProperty("update");
      await updates.return?.();
    },
    "events.completions": async () => {
      const completions = namespaces().events.completions({ beginOffset: 0, parties: [made.alice as never] });
      expect((await completions.next()).value).toHaveProperty("completionResponse");
      await completions.return?.();
    },
    "token.allocation.cancel": settleAfter("cancel", ["alice", "bob"]),
    "token.allocation.withdraw": settle("withdraw", ["alice"]),
    "token.allocation.execute": settle("execute", ["alice", "bob"]),
  };

  async function readCoins(how: "read" | "readRaw"): Promise<number> {
    const options = { parties: [made.alice as never], templateIds: [AMULET], filterByParty: true };
    return (await namespaces().ledger.acs[how](options)).length;
  }

  /** The one that was made before. */
  function settleAfter(choice: "cancel", actors: readonly ("alice" | "bob")[]) {
    return async () => {
      const { sdk } = opened();
      const given = { allocationCid: made.allocation, asset: await sdk.asset.find("Amulet") };
      const prepared = await sdk.token.allocation[choice](given);
      await submit(prepared as unknown as Prepared, ...actors.map((actor) => made[actor]));
      expect(await sdk.token.allocation.pending(made.alice)).toEqual([]);
    };
  }
}
