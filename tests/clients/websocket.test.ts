/**
 * Streams as wallets open them: with the platform's own `WebSocket`, the token among its subprotocols, the request sent
 * once it is open, in the older shapes that wallet-sdk 0.20 uses, and the items awaited one after another.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";
import { type Actor, createPreference, endOf, everythingOf, newActor } from "./actors.ts";
import { behindGateway, resolveLocalhostNames, tokensOf } from "./real-clients.ts";

let world: LocalNetwork;
let alice: Actor;
let token: string;
let forgetNames: () => void;

beforeAll(async () => {
  forgetNames = resolveLocalhostNames();
  world = await LocalNetwork.start();
  alice = await newActor(world, "alice");
  token = await tokensOf(alice.user).getAccessToken();
});
afterAll(async () => {
  await world?.close();
  forgetNames?.();
});

interface Item {
  readonly [key: string]: unknown;
  readonly code?: string;
}

class Subscription {
  readonly #socket: WebSocket;
  readonly #items: Item[] = [];
  readonly ended: Promise<CloseEvent>;
  #wake: () => void = () => undefined;

  constructor(url: string, request: object, token: string) {
    this.#socket = new WebSocket(url.replace(/^http/, "ws"), [`jwt.token.${token}`, "daml.ws.auth"]);
    this.#socket.onopen = () => this.#socket.send(JSON.stringify(request));
    this.#socket.onmessage = ({ data }) => {
      this.#items.push(JSON.parse(String(data)) as Item);
      this.#wake();
    };
    this.ended = new Promise((resolve) => {
      this.#socket.onclose = (event) => {
        this.#wake();
        resolve(event);
      };
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  /** The next item that is no checkpoint. */
  async next(): Promise<Item> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined && !JSON.stringify(item).includes('"OffsetCheckpoint"')) return item;
      if (item !== undefined) continue;
      if (this.#socket.readyState >= this.#socket.CLOSING) throw new Error("no item came");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async all(): Promise<readonly Item[]> {
    await this.ended;
    return this.#items;
  }

  close(): void {
    this.#socket.close();
  }
}

describe.each(["the participant's own port", "the gateway"])("through %s", (way) => {
  const url = (path: string) =>
    way === "the gateway"
      ? behindGateway(world, "app-user", "json-ledger-api.localhost", path)
      : world.net.nodes["app-user"].ledgerUrl + path;
  const filter = () => ({ filtersByParty: { [alice.party]: { cumulative: [] } } });

  test("updates come from an offset on, as they happen", async () => {
    const beginExclusive = await endOf(alice.client);
    const request = { beginExclusive, verbose: true, filter: filter() };
    const subscription = new Subscription(url("/v2/updates"), request, token);
    const { updateId } = await alice.client.post("/v2/commands/submit-and-wait", createPreference(alice));
    const item = await subscription.next();
    expect(item).toMatchObject({
      update: { Transaction: { value: { updateId, events: [{ CreatedEvent: {} }] } } },
    });
    expect(subscription.protocol).toBe("daml.ws.auth");
    subscription.close();
    await subscription.ended;
  });

  test("updates of a range end with it", async () => {
    const beginExclusive = await endOf(alice.client);
    for (let i = 0; i < 3; i++)
      await alice.client.post("/v2/commands/submit-and-wait", createPreference(alice));
    const endInclusive = await endOf(alice.client);
    const request = { beginExclusive, endInclusive, verbose: true, filter: filter() };
    for (const path of ["/v2/updates", "/v2/updates/flats", "/v2/updates/trees"]) {
      const subscription = new Subscription(url(path), request, token);
      expect(await subscription.all()).toHaveLength(3);
      expect((await subscription.ended).code).toBe(1000);
    }
  });

  test("completions tell a submitter how it ended", async () => {
    const beginExclusive = await endOf(alice.client);
    const request = { userId: alice.user, parties: [alice.party], beginExclusive };
    const subscription = new Subscription(url("/v2/commands/completions"), request, token);
    const commands = createPreference(alice);
    const { completionOffset } = await alice.client.post("/v2/commands/submit-and-wait", commands);
    expect(await subscription.next()).toMatchObject({
      completionResponse: {
        Completion: {
          value: { commandId: commands.commandId, offset: completionOffset, status: { code: 0 } },
        },
      },
    });
    subscription.close();
    await subscription.ended;
  });

  test("active contracts come whole", async () => {
    const activeAtOffset = await endOf(alice.client);
    const request = { activeAtOffset, verbose: false, eventFormat: everythingOf(alice.party) };
    const listed = await alice.client.post("/v2/state/active-contracts", {
      activeAtOffset,
      eventFormat: everythingOf(alice.party),
    });
    const items = await new Subscription(url("/v2/state/active-contracts"), request, token).all();
    expect(items.length).toBeGreaterThan(0);
    expect(items).toEqual(listed);
  });

  test("a refused request is one item with its code, or no websocket at all", async () => {
    const request = { beginExclusive: -1, verbose: true, filter: filter() };
    const refused = new Subscription(url("/v2/updates"), request, token);
    expect(await refused.all()).toMatchObject([{ code: "NEGATIVE_OFFSET" }]);
    const stranger = new Subscription(url("/v2/updates"), request, "no.token.atall");
    expect((await stranger.ended).code).toBe(1006);
    expect(await stranger.all()).toEqual([]);
  });
});
