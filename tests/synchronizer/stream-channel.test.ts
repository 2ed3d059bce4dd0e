// A participant follows its stream on a channel, with the pages and the proofs of requests, and by requests without one.

import { createVerify, type HttpClient, KeptIdentity, makeIdentity, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { HttpError } from "../../packages/api/src/client-errors.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  SequencerClient,
  UnprovenSequencer,
} from "../../packages/participant/src/network/sequencer-client.ts";
import { MAX_SESSIONS_OF_MEMBER } from "../../packages/synchronizer/src/limits/limits.ts";
import { hostParty, openSession, register, start } from "./sequencer-node.ts";

const never = new AbortController().signal;

async function connect(change: (client: HttpClient) => Partial<HttpClient> = () => ({})) {
  const started = await start();
  const identity = new KeptIdentity(makeIdentity("alice-node", systemHost.randomness), async () => undefined);
  await register(started, identity);
  const connections = systemHost.http.openClient();
  const requests: string[] = [];
  const fetch: HttpClient["fetch"] = (url, init) => {
    requests.push(new URL(url).pathname);
    return connections.fetch(url, init);
  };
  const { upgrade } = { ...connections, ...change(connections) };
  const client = new SequencerClient(started.server.url, identity, {
    ...{ fetch, upgrade, host: systemHost, verify: createVerify() },
    ...{ serials: { highestOf: () => 0 }, onProven: () => undefined },
  });
  onTestFinished(() => {
    client.close();
    connections.close();
  });
  const follow = (after: number, waitMs = 0) => client.follow({ after, waitMs, bodies: true }, never);
  /** The number of requests that a call of `follow` sent. */
  const sentBy = async (call: () => Promise<unknown>) => {
    const before = requests.length;
    await call();
    return requests.slice(before).filter((path) => path === "/v1/stream").length;
  };
  return { started, identity, follow, sentBy };
}

test("the next item is waited for on the channel; a question meanwhile is sent as a request", async () => {
  const { started, identity, follow, sentBy } = await connect();
  await until(async () => (await sentBy(() => follow(0))) === 0, "the channel is open");
  const first = follow(0, 10_000);
  expect(await sentBy(() => follow(0))).toBe(1);
  await hostParty(started, identity, "alice");
  const { items, end } = await first;
  expect([items.length, end]).toEqual([1, 1]);
  expect(await sentBy(async () => expect((await follow(0)).items).toEqual(items))).toBe(0);
});

test("a session that the sequencer has forgotten is refused as by a request, and the next one uses the channel", async () => {
  const { started, identity, follow, sentBy } = await connect();
  await until(async () => (await sentBy(() => follow(0))) === 0, "the channel is open");
  // A member has so many sessions at most: others end the first one.
  for (let left = MAX_SESSIONS_OF_MEMBER; left > 0; left--) await openSession(started, identity);
  await expect(follow(0)).rejects.toThrow(HttpError);
  expect(await sentBy(() => follow(0))).toBe(0);
});

test("a sequencer without channels is followed by requests", async () => {
  const refused = () => Promise.reject(new Error("404"));
  const { started, identity, follow, sentBy } = await connect(() => ({ upgrade: refused }));
  await hostParty(started, identity, "alice");
  expect(await sentBy(() => follow(0))).toBe(1);
  expect((await follow(0)).items).toHaveLength(1);
});

test("an answer that was changed on its way is not heard", async () => {
  const { started, identity, follow, sentBy } = await connect((connections) => ({
    upgrade: async (url, protocol, signal) => {
      const socket = await connections.upgrade(url, protocol, signal);
      const emit = socket.emit.bind(socket);
      socket.emit = (event: string, ...given: unknown[]) =>
        emit(
          event,
          ...(event === "data" ? given.map((piece) => String(piece).replaceAll("alice", "mallory")) : given),
        );
      return socket;
    },
  }));
  await until(async () => (await sentBy(() => follow(0))) === 0, "the channel is open");
  await hostParty(started, identity, "alice");
  await expect(follow(0)).rejects.toThrow(UnprovenSequencer);
});
