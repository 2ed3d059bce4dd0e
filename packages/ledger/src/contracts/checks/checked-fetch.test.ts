import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { GENERAL_ERROR, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { InterpretationFailure } from "../../engine/failure.ts";
import { decimal } from "../../values/decimal.ts";
import { AmuletPriceVote } from "../splice-dso-governance/declarations/sv-state.ts";
import { requireGroup } from "./checked-fetch.ts";
import { forDso, forOwner, forRound, forSvAsOwner } from "./contract-group.ts";

const dso = testParty("DSO");
const alice = testParty("alice");
const bob = testParty("bob");

function causeOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof InterpretationFailure) return error.error.cause;
    throw error;
  }
}

function mismatch(expected: string, got: string): string {
  return `${GENERAL_ERROR}Contract group identifier mismatch: expected ${expected}, got ${got} for it`;
}

describe("a contract of another group is refused, with both groups as Daml shows them", () => {
  test("by its DSO", () => {
    expect(causeOf(() => requireGroup(forDso(dso), { dso }, "it"))).toBeNull();
    expect(causeOf(() => requireGroup(forDso(dso), { dso: bob }, "it"))).toBe(
      mismatch(`ForDso {dso = '${dso}'}`, `ForDso {dso = '${bob}'}`),
    );
  });

  test.each([
    { dso: bob, owner: alice },
    { dso, owner: bob },
  ])("by its DSO and its owner, %o", (found) => {
    const group = forOwner({ dso, owner: alice });
    expect(causeOf(() => requireGroup(group, { dso, owner: alice }, "it"))).toBeNull();
    expect(causeOf(() => requireGroup(group, found, "it"))).toBe(
      mismatch(
        `ForOwner {dso = '${dso}', owner = '${alice}'}`,
        `ForOwner {dso = '${found.dso}', owner = '${found.owner}'}`,
      ),
    );
  });

  test("by its SV, who counts as the owner", () => {
    const group = forSvAsOwner(dso, alice);
    expect(causeOf(() => requireGroup(group, { dso, sv: alice }, "it"))).toBeNull();
    expect(causeOf(() => requireGroup(group, { dso, sv: bob }, "it"))).toBe(
      mismatch(
        `ForOwner {dso = '${dso}', owner = '${alice}'}`,
        `ForOwner {dso = '${dso}', owner = '${bob}'}`,
      ),
    );
  });

  test("by its round", () => {
    const group = forRound(dso, 7n);
    expect(causeOf(() => requireGroup(group, { dso, round: { number: 7n } }, "it"))).toBeNull();
    expect(causeOf(() => requireGroup(group, { dso, round: { number: 8n } }, "it"))).toBe(
      mismatch(
        `ForRound {dso = '${dso}', round = Round {number = 7}}`,
        `ForRound {dso = '${dso}', round = Round {number = 8}}`,
      ),
    );
  });
});

test("a choice that fetches such a contract aborts and names it", () => {
  const network = new DsoFixture();
  const [sv1, sv2] = [network.sv(0), network.sv(1)];
  const votes = network.sandbox.active(AmuletPriceVote);
  const voteCid = votes.find(({ payload }) => payload.sv === sv2)?.contractId ?? expect.fail("no vote");
  const change = () =>
    network.bySv("DsoRules_UpdateAmuletPriceVote", { voteCid, amuletPrice: decimal("1.0") }, sv1);
  const { cause } = rejectionOf(change);
  const group = (owner: string) => `ForOwner {dso = '${network.dso}', owner = '${owner}'}`;
  expect(cause).toBe(
    `${GENERAL_ERROR}Contract group identifier mismatch: expected ${group(sv1)}, got ${group(sv2)} ` +
      `for AmuletPriceVote ${voteCid}`,
  );
});
