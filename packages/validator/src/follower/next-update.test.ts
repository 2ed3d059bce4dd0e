import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TransportError } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { ParticipantClient } from "../ledger/participant-client.ts";
import { NextUpdate } from "./next-update.ts";

test("an interruption ends the wait that is about to begin, and no other", async () => {
  const nobody = { url: "http://127.0.0.1:9", userId: "user", token: () => "", host: systemHost };
  const next = new NextUpdate(new ParticipantClient(nobody), new AbortController().signal);
  const place = { parties: ["alice::1220"], after: 7 };
  next.interrupt();
  expect(await next.wait(place)).toEqual({ transactions: [], offset: 7, recordTimes: [] });
  await expect(next.wait(place)).rejects.toThrow(TransportError);
});

test("the wait ends when the follower is closed", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.closeAllConnections());
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const closing = new AbortController();
  const participant = new ParticipantClient({ url, userId: "user", token: () => "", host: systemHost });
  const waiting = new NextUpdate(participant, closing.signal).wait({ parties: ["alice::1220"], after: 7 });
  await once(silent, "request");
  closing.abort();
  expect(await waiting).toEqual({ transactions: [], offset: 7, recordTimes: [] });
});
