// An operator whose network taps no coin, and whose traffic is all reserved: offers of coin to the operator are accepted.

import { AcceptedTransferOffer, decimal, type PartyId, type Time, TransferOffer } from "@callsign/ledger";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import { expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../packages/node/src/observability/log.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { create } from "../../packages/validator/src/ledger/commands.ts";
import { HOUR, Sponsor } from "../onboarding/sponsor.ts";
import { listActiveContracts } from "../support/active-contracts.ts";
import { validatorClient } from "../support/network-clients.ts";
import { ADMIN, AUDIENCE, SECRET, tokenFor } from "../support/participants.ts";

const ONBOARDING_SECRET = "plain-secret";

test("an operator without coin for a top-up accepts offers of trusted senders from reserved traffic, and other wallets wait", async () => {
  const sponsor = await Sponsor.start({ isDevNet: false, app: { expectedSecrets: [ONBOARDING_SECRET] } });
  const { url, admin } = await sponsor.participant();
  const [dataFolder, token] = [temporaryFolder(), await tokenFor(ADMIN)];
  const start = async (change: Partial<ValidatorConfig> = {}): Promise<Validator> => {
    const validator = await startValidator({
      ...{ dataFolder, host: "127.0.0.1", port: 0, participantUrl: url },
      scans: [`${sponsor.node.scanUrl}/api/scan`],
      auth: { kind: "hs256", secret: SECRET, audience: AUDIENCE },
      serviceUser: { userId: ADMIN, token: () => token },
      ...{ walletUsers: ["anna"], operatorPartyHint: "some-validator-1", log: silentLog },
      onboarding: { svUrl: `${sponsor.node.appUrl}/api/sv`, secret: ONBOARDING_SECRET },
      ...change,
    });
    onTestFinished(() => validator.close());
    await vi.waitUntil(() => validator.isReady(), { timeout: 60_000 });
    return validator;
  };

  const first = await start();
  const operator = first.operatorParty() as PartyId;
  const client = validatorClient(first.url, token);
  const user = (await client.onboardUser({ body: { name: "berta" } })).party_id as PartyId;
  const dso = (await client.scanProxyGetDsoPartyId()).dso_party_id as PartyId;
  await first.idle();
  await first.close();

  const sender = (await sponsor.newParty("sender")) as PartyId;
  const rights = [{ kind: { CanActAs: { value: { party: sender } } } }];
  await admin.grantUserRights({ params: { "user-id": ADMIN }, body: { userId: ADMIN, rights } });
  const commands = [operator, user].map((receiver) =>
    create(TransferOffer, {
      ...{ sender, receiver, dso, amount: { amount: decimal("1.0"), unit: "AmuletUnit" } },
      ...{ description: "", trackingId: receiver, expiresAt: (sponsor.node.now() + HOUR) as Time },
    }),
  );
  await admin.submitAndWait({ body: { commandId: "offers", userId: ADMIN, actAs: [sender], commands } });

  const validator = await start({
    topup: { targetThroughput: 20_000, minTopupIntervalSeconds: 60, reservedTraffic: 1_000_000 },
    autoAcceptTransfers: { [operator]: { fromParties: [sender] }, [user]: { fromParties: [sender] } },
  });
  const statusOf = (name: string) => validator.automations().find(({ automation }) => automation === name);
  const reason = expect.stringMatching(/Only 0 bytes of bought traffic are left, and 1000000 are reserved/);
  await expect
    .poll(() => statusOf("accept-transfer-offers"), { timeout: 60_000 })
    .toMatchObject({ done: 1, waits: [{ reason }] });
  const receiversOf = async (template: typeof TransferOffer | typeof AcceptedTransferOffer) =>
    (await listActiveContracts(admin, sender, template.nameRef)).map(
      ({ argument }) => (argument as { readonly receiver: string }).receiver,
    );
  expect(await receiversOf(AcceptedTransferOffer)).toEqual([operator]);
  expect(await receiversOf(TransferOffer)).toEqual([user]);
  expect(statusOf("top-up-traffic")).toMatchObject({ done: 0, waits: [{ reason: expect.any(String) }] });
});
