import { describe, expect, test } from "vitest";
import {
  expectNotFound,
  expectUnauthorized,
  expectUnmet,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Sandbox, testParty } from "../../../../testing/sandbox.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, decimal, formatDecimalShort } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { networkCatalogue } from "../../network-catalogue.ts";
import {
  FeaturedAppActivityMarkerV1,
  FeaturedAppRightV1,
} from "../../splice-api-featured-app-v1/featured-app-right.ts";
import {
  FeaturedAppActivityMarkerV2,
  FeaturedAppRightV2,
} from "../../splice-api-featured-app-v2/featured-app-right.ts";
import { FeaturedAppActivityMarker, FeaturedAppRight, ValidatorRight } from "../declarations/amulet.ts";

const dso = testParty("DSO");
const app = testParty("app");
const amy = testParty("amy");
const bob = testParty("bob");

type Share = readonly [PartyId, string];
const shares = (given: readonly Share[]) =>
  given.map(([beneficiary, weight]) => ({ beneficiary, weight: decimal(weight) }));

function featured(): { readonly sandbox: Sandbox; readonly right: ContractId } {
  const sandbox = new Sandbox();
  const right = sandbox.create(FeaturedAppRight, { dso, provider: app }, { actAs: [dso] });
  return { sandbox, right };
}

function markV1(sandbox: Sandbox, right: ContractId, given: readonly Share[], actAs = [app]) {
  const argument = { beneficiaries: shares(given) };
  const choice = "FeaturedAppRight_CreateActivityMarker";
  return sandbox.exercise(FeaturedAppRightV1, right, choice, argument, { actAs });
}

function markV2(
  sandbox: Sandbox,
  right: ContractId,
  given: readonly Share[],
  weight: Decimal | null,
  actAs = [app],
) {
  const argument = { beneficiaries: shares(given), weight };
  const choice = "FeaturedAppRight_CreateActivityMarker";
  return sandbox.exercise(FeaturedAppRightV2, right, choice, argument, { actAs });
}

const markers = (sandbox: Sandbox) =>
  sandbox.active(FeaturedAppActivityMarker).map(({ contractId, payload }) => {
    expect(payload).toMatchObject({ dso, provider: app });
    return [contractId, payload.beneficiary, formatDecimalShort(payload.weight)];
  });

/** Both versions alike, where the second is not asked for a weight. */
const versions = [
  { version: 1, mark: markV1 },
  {
    version: 2,
    mark: (sandbox: Sandbox, right: ContractId, given: readonly Share[], actAs = [app]) =>
      markV2(sandbox, right, given, null, actAs),
  },
];

describe.each(versions)("a featured app, by version $version of the interface,", ({ mark }) => {
  test("marks its activity for its beneficiaries, in the order of parties, and stays featured", () => {
    const { sandbox, right } = featured();
    const { activityMarkerCids } = mark(sandbox, right, [
      [bob, "0.3"],
      [amy, "0.5"],
      [bob, "0.2"],
    ]);
    expect(markers(sandbox)).toEqual([
      [activityMarkerCids[0], amy, "0.5"],
      [activityMarkerCids[1], bob, "0.5"],
    ]);
    expect(activityMarkerCids).toHaveLength(2);
    expect(sandbox.isActive(right)).toBe(true);
  });

  test.each([
    [
      "Beneficiary weights are between 0.0 and 1.0",
      [
        [amy, "0.0"],
        [bob, "1.0"],
      ],
    ],
    [
      "Beneficiary weights are between 0.0 and 1.0",
      [
        [amy, "1.5"],
        [bob, "-0.5"],
      ],
    ],
    [
      "Beneficiary weights add up to 1.0",
      [
        [amy, "0.5"],
        [bob, "0.4999999999"],
      ],
    ],
    [
      "Beneficiary weights add up to 1.0",
      [
        [amy, "0.5"],
        [bob, "0.5000000001"],
      ],
    ],
    ["Beneficiary weights add up to 1.0", []],
    [
      "There are at most 20 beneficiaries",
      [...new Array(19).fill([amy, "0.05"]), [amy, "0.04"], [bob, "0.01"]],
    ],
  ] as [string, Share[]][])("needs beneficiaries that make sense: %s", (label, given) => {
    const { sandbox, right } = featured();
    expectUnmet(label, () => mark(sandbox, right, given));
  });

  test("may name twenty", () => {
    const { sandbox, right } = featured();
    mark(sandbox, right, new Array(20).fill([amy, "0.05"]));
    expect(markers(sandbox)).toHaveLength(1);
  });

  test("only the provider marks activity, with its own authority and its right", () => {
    const { sandbox, right } = featured();
    const given: readonly Share[] = [[amy, "1.0"]];
    expectUnauthorized(() => mark(sandbox, right, given, [dso]));
    expectNotFound(() => mark(sandbox, right, given, [amy]));
    const otherRight = sandbox.create(ValidatorRight, { dso, user: app, validator: app }, { actAs: [app] });
    expect(rejectionOf(() => mark(sandbox, otherRight, given)).code).toBe(
      "CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE",
    );
    sandbox.exercise(FeaturedAppRight, right, "FeaturedAppRight_Cancel", {}, { actAs: [app] });
    expectNotFound(() => mark(sandbox, right, given));
  });
});

describe("a weight of version 2", () => {
  test.each(["1.0", "10000.0", "2.5"])("of %s multiplies every share", (weight) => {
    const { sandbox, right } = featured();
    markV2(
      sandbox,
      right,
      [
        [amy, "0.5"],
        [bob, "0.5"],
      ],
      decimal(weight),
    );
    const half = formatDecimalShort((decimal(weight) / 2n) as Decimal);
    expect(markers(sandbox).map(([, ...marker]) => marker)).toEqual([
      [amy, half],
      [bob, half],
    ]);
  });

  test.each([
    ["0.9999999999", "Weight >= 1.0"],
    ["-1.0", "Weight >= 1.0"],
    ["10000.0000000001", "Weight <= 10000.0"],
  ])("is between 1 and 10,000: not %s", (weight, label) => {
    const { sandbox, right } = featured();
    expectUnmet(label, () => markV2(sandbox, right, [[amy, "1.0"]], decimal(weight)));
  });

  test("lets provider and beneficiaries see the choice; version 1 shows it to the provider alone", () => {
    const { sandbox, right } = featured();
    const observers = () => {
      const [root] = sandbox.lastTransaction?.nodes ?? [];
      return root?.kind === "exercise" ? root.choiceObservers : null;
    };
    markV2(
      sandbox,
      right,
      [
        [amy, "0.5"],
        [bob, "0.5"],
      ],
      null,
    );
    expect(observers()).toEqual([app, amy, bob]);
    markV1(sandbox, right, [[amy, "1.0"]]);
    expect(observers()).toEqual([]);
  });
});

describe("the views", () => {
  const viewOf = (
    template: { readonly id: string },
    declaration: { readonly id: string },
    payload: unknown,
  ) => networkCatalogue.findTemplate(template.id)?.interfaces.get(declaration.id)?.view(payload);

  test("of a right and of a marker show their parties and weight", () => {
    const right = { dso, provider: app };
    const marker = { dso, provider: app, beneficiary: amy, weight: decimal("0.5") };
    for (const declaration of [FeaturedAppRightV1, FeaturedAppRightV2]) {
      expect(viewOf(FeaturedAppRight, declaration, right)).toEqual(right);
    }
    for (const declaration of [FeaturedAppActivityMarkerV1, FeaturedAppActivityMarkerV2]) {
      expect(viewOf(FeaturedAppActivityMarker, declaration, marker)).toEqual(marker);
    }
  });
});
