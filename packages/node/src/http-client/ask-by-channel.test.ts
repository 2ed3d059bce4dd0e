import { scanApi } from "@callsign/api";
import { expect, test } from "vitest";
import { systemHost } from "../system-host.ts";
import { askByChannel } from "./ask-by-channel.ts";
import { LookupChannel } from "./lookup-channel.ts";

test("a caller that has given up before sends nothing, also if the channel is closed", async () => {
  const baseUrl = "http://127.0.0.1:1/api/scan";
  const client = systemHost.http.openClient();
  const channel = new LookupChannel({ baseUrl, client, host: systemHost, timeoutMilliseconds: 1000 });
  channel.close();
  let sent = 0;
  const send = () => {
    sent++;
    return Promise.reject(new Error("nobody hears of it"));
  };
  const endpoint = scanApi.endpoints.getDsoPartyId;
  const question = { endpoint, request: {}, headers: {}, baseUrl };
  await expect(askByChannel(channel, { ...question, signal: AbortSignal.abort() }, send)).rejects.toThrow(
    "the caller gave up",
  );
  expect(sent).toBe(0);
  await expect(askByChannel(channel, question, send)).rejects.toThrow("nobody hears of it");
  client.close();
});
