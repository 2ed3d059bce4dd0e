// A participant that fails for a moment: callers are told to try again, not that they are not authorized.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import type { FaultyParticipant } from "../support/faulty-participant.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";
import { startFaultyWallet } from "./faulty-wallet.ts";

let network: LocalNetwork;
let participant: FaultyParticipant;
let wallet: ValidatorClient;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ network, participant, wallet, close } = await startFaultyWallet());
});
afterAll(() => close?.());
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
])("the participant's answer about a user is %s", async (_, fault, status) => {
  for (const suffix of ["app-user", "app-user/rights"]) {
    participant.spoil = (path) => (path === `/v2/users/${suffix}` ? fault : undefined);
    await expect(wallet.getBalance()).rejects.toThrow(new RegExp(`status ${status}`));
  }
});

test("waits for the next update behind a lone one, without asking where the ledger ends", async () => {
  const paths: string[] = [];
  await wallet.tap({ body: { amount: "1.0" } });
  participant.spoil = (path) => void paths.push(path.replace(/\?.*/, ""));
  for (let tap = 0; tap < 5; tap++) await wallet.tap({ body: { amount: "1.0" } });
  const count = (sought: string) => paths.filter((path) => path === sought).length;
  // The first update answers a request from before, and the request behind the last one may not have come yet.
  expect(count("/v2/updates")).toBeGreaterThanOrEqual(4);
  expect(count("/v2/state/ledger-end")).toBeLessThan(3);
});

test("waits for the next update behind those of other parties, without asking where the ledger ends", async () => {
  const ledger = network.ledger("app-user");
  const { party } = (await ledger.allocateParty({ body: { partyIdHint: "", userId: SERVICE_USER } }))
    .partyDetails;
  const templateId = "#splice-wallet:Splice.Wallet.Install:WalletAppInstall";
  const parties = { dsoParty: party, validatorParty: party, endUserParty: party };
  const command = { CreateCommand: { templateId, createArguments: { ...parties, endUserName: "other" } } };
  const submit = (commandId: string) =>
    ledger.submitAndWait({ body: { commands: [command], commandId, actAs: [party] } });
  await submit("first");
  await wallet.getBalance();
  const paths: string[] = [];
  participant.spoil = (path) => void paths.push(path);
  for (let i = 0; i < 50; i++) await submit(`${i}`);
  expect(paths.filter((path) => path === "/v2/state/ledger-end").length).toBeLessThan(3);
  // The copy has passed them, and follows its own.
  await wallet.tap({ body: { amount: "1.0" } });
});
