// What a participant that fails for a moment means to callers: try again, and not that they may not.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FaultyParticipant, startFaultyParticipant } from "./faulty-participant.ts";
import { type WalletClient, WalletNetwork, walletAt } from "./wallet-network.ts";

let network: WalletNetwork;
let participant: FaultyParticipant;
let wallet: WalletClient;

beforeAll(async () => {
  network = await WalletNetwork.start();
  const { ledgerUrl, token } = network.net.nodes["app-user"];
  participant = await startFaultyParticipant(ledgerUrl);
  const validator = await network.startValidator(["app-user"], "failing", {
    participantUrl: participant.url,
  });
  wallet = walletAt(validator.url, token);
});
afterAll(async () => {
  await network.close();
  await participant.close();
});
beforeEach(() => {
  participant.spoil = () => undefined;
});

function failure(status: number, code: string, grpcCodeValue: number) {
  return {
    status,
    body: { code, cause: "because", errorCategory: -1, grpcCodeValue, definiteAnswer: false },
  };
}

test.each([
  ["SERVICE_NOT_RUNNING", failure(503, "SERVICE_NOT_RUNNING", 14), 503],
  ["PARTICIPANT_BACKPRESSURE", failure(409, "PARTICIPANT_BACKPRESSURE", 10), 429],
  ["a lost connection", "lose" as const, 503],
  ["a user that is not found", failure(404, "USER_NOT_FOUND", 5), 403],
  ["a denial", failure(403, "NA", 7), 403],
])("of a user, the participant answers with %s", async (_, fault, status) => {
  for (const suffix of ["app-user", "app-user/rights"]) {
    participant.spoil = (path) => (path === `/v2/users/${suffix}` ? fault : undefined);
    await expect(wallet.getBalance()).rejects.toThrow(new RegExp(`status ${status}`));
  }
});
