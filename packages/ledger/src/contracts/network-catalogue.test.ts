import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../testing/sha256.ts";
import { NameCare } from "./callsign-names/declarations/names.ts";
import { PrimaryName } from "./callsign-names/declarations/primary-name.ts";
import { NameCareV2, TakeUpRequest } from "./callsign-names/declarations/take-up.ts";
import { networkCatalogue } from "./network-catalogue.ts";
import { callsignNamesPackage, callsignNamesV2Package, callsignNamesV3Package } from "./packages.ts";

const templates = networkCatalogue.packages.flatMap((loaded) => loaded.templates);
const names = templates.map(({ declaration }) => declaration.entity);

/** Every template or interface that some file declares: the word behind `entity:`. */
function listDeclared(kind: "declareTemplate" | "declareInterface"): readonly string[] {
  return listSources(import.meta.dirname).flatMap((source) =>
    source
      .split(`${kind}({`)
      .slice(1)
      .flatMap((part) => /entity: "(\w+)"/.exec(part)?.[1] ?? []),
  );
}

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && file.name.endsWith(".ts") && !file.name.endsWith(".test.ts"))
    .map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
}

describe("the network's catalogue", () => {
  test("has every declared template, with its rules", () => {
    expect([...names].sort()).toEqual([...listDeclared("declareTemplate")].sort());
  });

  test("has every declared interface", () => {
    const interfaces = networkCatalogue.packages.flatMap((loaded) => loaded.interfaces);
    expect(interfaces.map(({ entity }) => entity).sort()).toEqual(
      [...listDeclared("declareInterface")].sort(),
    );
  });

  test("finds each template by package id and by package name", () => {
    for (const template of templates) {
      const expected = { kind: "template", template };
      const { id, nameRef } = template.declaration;
      expect(networkCatalogue.resolve(id)).toEqual(expected);
      const latest = networkCatalogue.listVersions(nameRef).at(-1) === id;
      if (latest) expect(networkCatalogue.resolve(nameRef)).toEqual(expected);
    }
  });

  test("gives packages ids of 64 hex digits, none twice", () => {
    const ids = networkCatalogue.packages.map(({ package: pkg }) => pkg.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([callsignNamesPackage, callsignNamesV2Package, callsignNamesV3Package])(
    "gives our own package $name $version the id that hashes its name and version",
    ({ name, version, id }) => {
      expect(id).toBe(sha256(`${name} ${version}`));
    },
  );

  test.each([1n, 2n])("does not know version 0.2.0 of callsign-names in protocol version %s", (version) => {
    const { resolve, packages } = networkCatalogue.at(version);
    expect(packages.map(({ package: { id } }) => id)).not.toContain(callsignNamesV2Package.id);
    for (const { id, nameRef } of [TakeUpRequest, NameCareV2]) {
      expect(resolve(id)).toEqual({ kind: "unknown", reason: "package" });
      expect(resolve(nameRef)).toEqual(
        nameRef === NameCare.nameRef
          ? { kind: "template", template: networkCatalogue.findTemplate(NameCare.id) }
          : { kind: "unknown", reason: "entity" },
      );
    }
  });

  test.each([3n, 4n])(
    "knows version 0.2.0 of callsign-names in protocol version %s, and not 0.3.0",
    (version) => {
      const { resolve, packages } = networkCatalogue.at(version);
      expect(
        networkCatalogue.packages.filter((each) => !packages.includes(each)).map(({ package: { id } }) => id),
      ).toEqual([callsignNamesV3Package.id]);
      expect(resolve(PrimaryName.id)).toEqual({ kind: "unknown", reason: "package" });
      expect(resolve(PrimaryName.nameRef)).toEqual({ kind: "unknown", reason: "entity" });
      expect(networkCatalogue.at(5n)).toBe(networkCatalogue);
    },
  );

  test("has the templates of rewards and licences under Splice's names", () => {
    const amulet = [
      "ValidatorRight",
      "FeaturedAppRight",
      "FeaturedAppActivityMarker",
      "AppRewardCoupon",
      "ValidatorRewardCoupon",
      "SvRewardCoupon",
      "UnclaimedReward",
      "UnclaimedActivityRecord",
      "UnclaimedDevelopmentFundCoupon",
      "DevelopmentFundCoupon",
    ].map((entity) => `#splice-amulet:Splice.Amulet:${entity}`);
    const rounds = ["SummarizingMiningRound", "IssuingMiningRound", "ClosedMiningRound"].map(
      (entity) => `#splice-amulet:Splice.Round:${entity}`,
    );
    const licences = ["ValidatorLicense", "ValidatorFaucetCoupon", "ValidatorLivenessActivityRecord"].map(
      (entity) => `#splice-amulet:Splice.ValidatorLicense:${entity}`,
    );
    for (const ref of [...amulet, ...rounds, ...licences]) {
      expect(networkCatalogue.resolve(ref).kind, ref).toBe("template");
    }
    for (const version of [1, 2]) {
      for (const entity of ["FeaturedAppRight", "FeaturedAppActivityMarker"]) {
        const ref = `#splice-api-featured-app-v${version}:Splice.Api.FeaturedAppRightV${version}:${entity}`;
        expect(networkCatalogue.resolve(ref).kind, ref).toBe("interface");
      }
    }
  });

  test("has the templates of wallets, payments, traffic and onboarding under Splice's names", () => {
    const splice = [
      "#splice-amulet:Splice.AmuletRules:TransferPreapproval",
      "#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal",
      "#splice-wallet-payments:Splice.Wallet.Payment:AppPaymentRequest",
      "#splice-wallet-payments:Splice.Wallet.Payment:AcceptedAppPayment",
      "#splice-wallet-payments:Splice.Wallet.Payment:TerminatedAppPayment",
      "#splice-wallet:Splice.Wallet.TransferOffer:TransferOffer",
      "#splice-wallet:Splice.Wallet.TransferOffer:AcceptedTransferOffer",
      "#splice-wallet:Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest",
      "#splice-wallet:Splice.Wallet.TopUpState:ValidatorTopUpState",
      "#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal",
      "#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegationProposal",
      "#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation",
      "#splice-validator-lifecycle:Splice.ValidatorOnboarding:ValidatorOnboarding",
      "#splice-validator-lifecycle:Splice.ValidatorOnboarding:UsedSecret",
    ];
    for (const ref of splice) expect(networkCatalogue.resolve(ref).kind, ref).toBe("template");
  });

  test("has the token standard and what implements it under Splice's names", () => {
    const standard = [
      "#splice-api-token-metadata-v1:Splice.Api.Token.MetadataV1:AnyContract",
      "#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding",
      "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction",
      "#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory",
      "#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation",
      "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationInstruction",
      "#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory",
      "#splice-api-token-allocation-request-v1:Splice.Api.Token.AllocationRequestV1:AllocationRequest",
    ];
    for (const ref of standard) expect(networkCatalogue.resolve(ref).kind, ref).toBe("interface");
    const implemented = templates.flatMap(({ declaration, interfaces }) =>
      [...interfaces.values()]
        .filter((instance) => instance.interface.package.name.startsWith("splice-api-token-"))
        .map((instance) => `${declaration.entity}: ${instance.interface.entity}`),
    );
    expect(implemented.sort()).toEqual([
      "Amulet: Holding",
      "AmuletAllocation: Allocation",
      "AmuletTransferInstruction: TransferInstruction",
      "ExternalPartyAmuletRules: AllocationFactory",
      "ExternalPartyAmuletRules: TransferFactory",
      "LockedAmulet: Holding",
    ]);
    const contracts = [
      "#splice-amulet:Splice.AmuletTransferInstruction:AmuletTransferInstruction",
      "#splice-amulet:Splice.AmuletAllocation:AmuletAllocation",
      "#splice-amulet:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules",
      "#splice-amulet:Splice.ExternalPartyAmuletRules:TransferCommand",
      "#splice-amulet:Splice.ExternalPartyAmuletRules:TransferCommandCounter",
      "#splice-amulet:Splice.ExternalPartyConfigState:ExternalPartyConfigState",
      "#splice-amulet-name-service:Splice.Ans.AmuletConversionRateFeed:AmuletConversionRateFeed",
      "#splice-dso-governance:Splice.DsoRules:ElectionRequest",
      "#splice-dso-governance:Splice.DsoRules:BootstrapExternalPartyConfigStateInstruction",
    ];
    for (const ref of contracts) expect(networkCatalogue.resolve(ref).kind, ref).toBe("template");
  });

  test("has the templates of one name's life under Splice's names", () => {
    const splice = [
      "#splice-amulet-name-service:Splice.Ans:AnsRules",
      "#splice-amulet-name-service:Splice.Ans:AnsEntryContext",
      "#splice-amulet-name-service:Splice.Ans:AnsEntry",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:SubscriptionRequest",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:SubscriptionInitialPayment",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:Subscription",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:SubscriptionIdleState",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:SubscriptionPayment",
      "#splice-wallet-payments:Splice.Wallet.Subscriptions:TerminatedSubscription",
      "#splice-wallet:Splice.Wallet.Install:WalletAppInstall",
      "#splice-amulet:Splice.Amulet:Amulet",
      "#splice-amulet:Splice.Amulet:LockedAmulet",
      "#splice-amulet:Splice.AmuletRules:AmuletRules",
      "#splice-amulet:Splice.Round:OpenMiningRound",
      "#splice-amulet:Splice.DecentralizedSynchronizer:MemberTraffic",
      "#splice-dso-governance:Splice.DsoRules:DsoRules",
      "#splice-dso-governance:Splice.DsoRules:Confirmation",
      "#splice-dso-governance:Splice.DsoBootstrap:DsoBootstrap",
      "#splice-dso-governance:Splice.DSO.AmuletPrice:AmuletPriceVote",
    ];
    for (const ref of splice) expect(networkCatalogue.resolve(ref).kind, ref).toBe("template");
    expect(
      networkCatalogue.resolve("#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding").kind,
    ).toBe("interface");
  });
});
