import { describe, expect, test } from "vitest";
import { expectNotFound, expectTooLate, expectUnauthorized } from "../../../../testing/rejection.ts";
import { alice, bob, validator } from "../../../../testing/subscription-fixture.ts";
import { changesOf } from "../../../../testing/transaction-changes.ts";
import { WalletNetwork } from "../../../../testing/wallet-fixture.ts";
import { DAY } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { ValidatorRight } from "../declarations/amulet.ts";
import { ExternalPartySetupProposal, TransferPreapproval } from "../declarations/transfer-preapproval.ts";

function proposed() {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const createdAt = sandbox.now;
  const preapprovalExpiresAt = addDuration(createdAt, DAY);
  const proposalCid = sandbox.create(
    ExternalPartySetupProposal,
    { validator, user: bob, dso, createdAt, preapprovalExpiresAt },
    { actAs: [validator, dso] },
  );
  const accept = (actAs: readonly PartyId[] = [bob]) =>
    sandbox.exercise(
      ExternalPartySetupProposal,
      proposalCid,
      "ExternalPartySetupProposal_Accept",
      {},
      { actAs },
    );
  return { sandbox, dso, createdAt, preapprovalExpiresAt, proposalCid, accept };
}

describe("ExternalPartySetupProposal_Accept", () => {
  test("gives the validator its right and the user a preapproval that counts from the proposal", () => {
    const { sandbox, dso, createdAt, preapprovalExpiresAt, accept } = proposed();
    sandbox.now = addDuration(preapprovalExpiresAt, -1n);
    const { validatorRightCid, transferPreapprovalCid } = accept();
    expect(sandbox.payloadOf(ValidatorRight, validatorRightCid)).toEqual({ dso, user: bob, validator });
    expect(sandbox.payloadOf(TransferPreapproval, transferPreapprovalCid)).toEqual({
      dso,
      receiver: bob,
      provider: validator,
      validFrom: createdAt,
      lastRenewedAt: createdAt,
      expiresAt: preapprovalExpiresAt,
    });
    expect(changesOf(sandbox)).toEqual({
      archived: ["ExternalPartySetupProposal"],
      created: ["ValidatorRight", "TransferPreapproval"],
    });
    expectNotFound(accept);
  });

  test("is refused when the time that was paid for is over", () => {
    const { sandbox, preapprovalExpiresAt, accept } = proposed();
    sandbox.now = preapprovalExpiresAt;
    expectTooLate("ExternalPartySetupProposal.preapprovalExpiresAt", accept);
  });

  test("is exercised by the user alone", () => {
    const { dso, accept } = proposed();
    expectUnauthorized(() => accept([validator, dso]));
  });
});

describe.each([
  ["ExternalPartySetupProposal_Reject", bob, validator],
  ["ExternalPartySetupProposal_Withdraw", validator, bob],
] as const)("%s", (choice, controller, other) => {
  const end = ({ sandbox, proposalCid }: ReturnType<typeof proposed>, actAs: readonly PartyId[]) =>
    sandbox.exercise(
      ExternalPartySetupProposal,
      proposalCid,
      choice,
      { reason: "changed my mind" },
      { actAs },
    );

  test("ends it at any time, and leaves nothing", () => {
    const setting = proposed();
    setting.sandbox.now = addDuration(setting.preapprovalExpiresAt, DAY);
    expect(end(setting, [controller])).toEqual({ dummyArg: {} });
    expect(changesOf(setting.sandbox)).toEqual({ archived: ["ExternalPartySetupProposal"], created: [] });
    expectNotFound(() => end(setting, [controller]));
  });

  test("is exercised by one side alone", () => {
    const setting = proposed();
    expectUnauthorized(() => end(setting, [other]));
  });
});

test.each([
  ["the validator alone", [validator]],
  ["the user and the validator", [bob, validator]],
])("a proposal is not made by %s", (_who, actAs) => {
  const { sandbox, dso, createdAt, preapprovalExpiresAt } = proposed();
  const payload = { validator, user: bob, dso, createdAt, preapprovalExpiresAt };
  expectUnauthorized(() => sandbox.create(ExternalPartySetupProposal, payload, { actAs }));
});

test("only the user and the signatories see a proposal", () => {
  const { sandbox, proposalCid } = proposed();
  const reject = () =>
    sandbox.exercise(
      ExternalPartySetupProposal,
      proposalCid,
      "ExternalPartySetupProposal_Reject",
      { reason: "" },
      { actAs: [alice] },
    );
  expectNotFound(reject);
});
