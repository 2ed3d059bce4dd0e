import { TransportError } from "@callsign/api";
import { systemHost } from "@callsign/node";
import { expect, test } from "vitest";
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
