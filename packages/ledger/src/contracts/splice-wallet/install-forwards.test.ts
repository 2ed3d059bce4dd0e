import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../testing/network-fixture.ts";
import { expectNotFound, expectUnauthorized, expectUnmet } from "../../../testing/rejection.ts";
import { alice, bob, laFamiglia, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coins, MEMBER_ID, MIN_TOP_UP, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { DAY, MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { FeaturedAppRight } from "../splice-amulet/declarations/amulet.ts";
import { TerminatedAppPayment } from "../splice-wallet-payments/declarations/app-payments.ts";
import { WalletAppInstall } from "./declarations/install.ts";
import { BuyTrafficRequest } from "./declarations/traffic-purchases.ts";
import { AcceptedTransferOffer, TransferOffer } from "./declarations/transfer-offer.ts";

const FIVE_MINUTES = 5n * MINUTE;
type Installed = ReturnType<typeof installed>;

/** Alice's wallet at the validator. */
function installed() {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const install = network.installWallet();
  const expiresAt = network.later(FIVE_MINUTES);
  const offer = (sender: PartyId, receiver: PartyId) =>
    sandbox.create(
      TransferOffer,
      { sender, receiver, dso, amount: coins("1.0"), description: "", expiresAt, trackingId: "t" },
      { actAs: [sender] },
    );
  const acceptedOffer = (sender: PartyId, receiver: PartyId) =>
    sandbox.create(
      AcceptedTransferOffer,
      { sender, receiver, dso, amount: coins("1.0"), expiresAt, trackingId: "t" },
      { actAs: [sender, receiver] },
    );
  const trafficRequest = (endUserParty: PartyId) =>
    sandbox.create(
      BuyTrafficRequest,
      {
        dso,
        endUserParty,
        expiresAt,
        trackingId: "t",
        trafficAmount: MIN_TOP_UP,
        memberId: MEMBER_ID,
        synchronizerId: TEST_SYNCHRONIZER,
        migrationId: 0n,
      },
      { actAs: [endUserParty] },
    );
  return { network, sandbox, install, expiresAt, offer, acceptedOffer, trafficRequest };
}

/**
 * Each forward: the contract it is for, if it is `user`'s; the choice it hands on to; when it may; what it leaves.
 */
const forwards = [
  {
    choice: "WalletAppInstall_AppPaymentRequest_Reject",
    onward: "AppPaymentRequest_Reject",
    contract: ({ network }: Installed, user: PartyId) =>
      network.requestPayment([[laFamiglia, coins("1.0")]], { sender: user }),
    argument: (cid: ContractId) => ({ cid }),
    due: false,
    created: ["TerminatedAppPayment"],
  },
  {
    choice: "WalletAppInstall_AppPaymentRequest_Expire",
    onward: "AppPaymentRequest_Expire",
    contract: ({ network }: Installed, user: PartyId) =>
      network.requestPayment([[laFamiglia, coins("1.0")]], { sender: user }),
    argument: (cid: ContractId) => ({ cid }),
    due: true,
    created: ["TerminatedAppPayment"],
  },
  {
    choice: "WalletAppInstall_TransferOffer_Accept",
    onward: "TransferOffer_Accept",
    contract: ({ offer }: Installed, user: PartyId) => offer(laFamiglia, user),
    argument: (cid: ContractId) => ({ cid }),
    due: false,
    created: ["AcceptedTransferOffer"],
  },
  {
    choice: "WalletAppInstall_TransferOffer_Reject",
    onward: "TransferOffer_Reject",
    contract: ({ offer }: Installed, user: PartyId) => offer(laFamiglia, user),
    argument: (cid: ContractId) => ({ cid }),
    due: false,
    created: [],
  },
  {
    choice: "WalletAppInstall_TransferOffer_Withdraw",
    onward: "TransferOffer_Withdraw",
    contract: ({ offer }: Installed, user: PartyId) => offer(user, laFamiglia),
    argument: (cid: ContractId) => ({ cid, reason: "because" }),
    due: false,
    created: [],
  },
  {
    choice: "WalletAppInstall_TransferOffer_Expire",
    onward: "TransferOffer_Expire",
    contract: ({ offer }: Installed, user: PartyId) => offer(user, laFamiglia),
    argument: (cid: ContractId) => ({ cid }),
    due: true,
    created: [],
  },
  {
    choice: "WalletAppInstall_AcceptedTransferOffer_Abort",
    onward: "AcceptedTransferOffer_Abort",
    contract: ({ acceptedOffer }: Installed, user: PartyId) => acceptedOffer(user, laFamiglia),
    argument: (cid: ContractId) => ({ cid, reason: "because" }),
    due: false,
    created: [],
  },
  {
    choice: "WalletAppInstall_AcceptedTransferOffer_Withdraw",
    onward: "AcceptedTransferOffer_Withdraw",
    contract: ({ acceptedOffer }: Installed, user: PartyId) => acceptedOffer(laFamiglia, user),
    argument: (cid: ContractId) => ({ cid, reason: "because" }),
    due: false,
    created: [],
  },
  {
    choice: "WalletAppInstall_AcceptedTransferOffer_Expire",
    onward: "AcceptedTransferOffer_Expire",
    contract: ({ acceptedOffer }: Installed, user: PartyId) => acceptedOffer(laFamiglia, user),
    argument: (cid: ContractId) => ({ cid }),
    due: true,
    created: [],
  },
  {
    choice: "WalletAppInstall_BuyTrafficRequest_Cancel",
    onward: "BuyTrafficRequest_Cancel",
    contract: ({ trafficRequest }: Installed, user: PartyId) => trafficRequest(user),
    argument: (cid: ContractId) => ({ requestCid: cid, reason: "because" }),
    due: false,
    created: [],
  },
  {
    choice: "WalletAppInstall_BuyTrafficRequest_Expire",
    onward: "BuyTrafficRequest_Expire",
    contract: ({ trafficRequest }: Installed, user: PartyId) => trafficRequest(user),
    argument: (cid: ContractId) => ({ requestCid: cid }),
    due: true,
    created: [],
  },
  {
    choice: "WalletAppInstall_FeaturedAppRights_Cancel",
    onward: "FeaturedAppRight_Cancel",
    contract: ({ network }: Installed, user: PartyId) => network.feature(user),
    argument: (cid: ContractId) => ({ cid }),
    due: false,
    created: [],
  },
] as const;

describe.each(forwards)("$choice", ({ choice, onward, contract, argument, due, created }) => {
  const run = (
    { sandbox, install }: Installed,
    cid: ContractId,
    actAs: readonly PartyId[],
    readAs: PartyId,
  ) =>
    // The table gives each choice the argument it takes.
    sandbox.exercise(
      WalletAppInstall,
      install,
      choice as "WalletAppInstall_TransferOffer_Withdraw",
      argument(cid) as { cid: ContractId; reason: string },
      { actAs, readAs: [readAs] },
    );

  test("hands on to one choice with the user's authority, as the validator alone, once", () => {
    const setting = installed();
    const { sandbox, expiresAt } = setting;
    const cid = contract(setting, alice);
    if (due) {
      sandbox.now = addDuration(expiresAt, -1n);
      expectUnmet("Contract has expired", () => run(setting, cid, [validator], alice));
      sandbox.now = expiresAt;
    }
    run(setting, cid, [validator], alice);
    expect(sandbox.isActive(cid)).toBe(false);
    expect(changesOf(sandbox).created).toEqual(created);
    expect(exercisesOf(sandbox)).toEqual([
      [choice, [validator]],
      [onward, [alice]],
    ]);
    expectNotFound(() => run(setting, cid, [validator], alice));
  });

  test("is refused to the user, and for another user's contract", () => {
    const setting = installed();
    const [alices, bobs] = [contract(setting, alice), contract(setting, bob)];
    if (due) setting.sandbox.now = setting.expiresAt;
    expectUnauthorized(() => run(setting, alices, [alice], alice));
    // An expiry names alice as its actor, who has no part in bob's contract.
    const expireAnothers = onward.endsWith("_Expire") && onward !== "BuyTrafficRequest_Expire";
    const refused = () => run(setting, bobs, [validator], bob);
    if (expireAnothers) expectUnmet("Actor is a stakeholder", refused);
    else expectUnauthorized(refused);
  });
});

test("an ended payment or offer has the result of its own choice", () => {
  const setting = installed();
  const { network, sandbox, install } = setting;
  const as = { actAs: [validator], readAs: [alice] };
  const cid = network.requestPayment([[laFamiglia, coins("1.0")]]);
  const rejected = sandbox.exercise(
    WalletAppInstall,
    install,
    "WalletAppInstall_AppPaymentRequest_Reject",
    { cid },
    as,
  );
  expect(sandbox.payloadOf(TerminatedAppPayment, rejected.terminatedAppPayment).reference).toBe(cid);
  const offer = setting.offer(alice, bob);
  const withdrawn = { cid: offer, reason: "because" };
  expect(
    sandbox.exercise(WalletAppInstall, install, "WalletAppInstall_TransferOffer_Withdraw", withdrawn, as),
  ).toEqual({
    trackingInfo: { trackingId: "t", sender: alice, receiver: bob },
  });
  const cancelled = { requestCid: setting.trafficRequest(alice), reason: "because" };
  expect(
    sandbox.exercise(WalletAppInstall, install, "WalletAppInstall_BuyTrafficRequest_Cancel", cancelled, as),
  ).toEqual({
    trackingInfo: { trackingId: "t", endUserParty: alice },
  });
});

describe("a contract that a wallet makes in its user's name", () => {
  test("an offer of the user's", () => {
    const { network, sandbox, install } = installed();
    const argument = {
      receiver: bob,
      amount: coins("2.5"),
      description: "tickets",
      expiresAt: network.later(DAY),
      trackingId: "offer 7",
    };
    const make = (actAs: readonly PartyId[]) =>
      sandbox.exercise(WalletAppInstall, install, "WalletAppInstall_CreateTransferOffer", argument, {
        actAs,
        readAs: [alice],
      });
    const { transferOffer } = make([validator]);
    expect(sandbox.payloadOf(TransferOffer, transferOffer)).toEqual({
      ...argument,
      sender: alice,
      dso: network.dso,
    });
    expectUnauthorized(() => make([alice]));
  });

  test("a request for traffic of the user's", () => {
    const { network, sandbox, install } = installed();
    const argument = {
      memberId: MEMBER_ID,
      synchronizerId: TEST_SYNCHRONIZER,
      migrationId: 2n,
      trafficAmount: 7n,
      expiresAt: network.later(DAY),
      trackingId: "request 7",
    };
    const make = (actAs: readonly PartyId[]) =>
      sandbox.exercise(WalletAppInstall, install, "WalletAppInstall_CreateBuyTrafficRequest", argument, {
        actAs,
        readAs: [alice],
      });
    const { buyTrafficRequest } = make([validator]);
    expect(sandbox.payloadOf(BuyTrafficRequest, buyTrafficRequest)).toEqual({
      ...argument,
      endUserParty: alice,
      dso: network.dso,
    });
    expectUnauthorized(() => make([alice]));
  });

  test("a featured right of the user's, on a DevNet only", () => {
    const grant = (network: WalletNetwork, actAs: readonly PartyId[] = [validator]) =>
      network.sandbox.exercise(
        WalletAppInstall,
        network.installWallet(),
        "WalletAppInstall_FeaturedAppRights_SelfGrant",
        { amuletRulesCid: network.amuletRules },
        { ...network.as(...actAs), readAs: [alice] },
      );
    const network = new WalletNetwork();
    const { featuredAppRight } = grant(network);
    expect(network.sandbox.payloadOf(FeaturedAppRight, featuredAppRight)).toEqual({
      dso: network.dso,
      provider: alice,
    });
    expectUnauthorized(() => grant(network, [alice]));
    expectUnmet("isDevNet flag is true", () => grant(new WalletNetwork({ isDevNet: false })));
  });
});
