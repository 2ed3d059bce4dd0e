import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedNetwork, type Submission } from "../../testing/simulated-network.ts";
import { anyCommand, resultOf } from "../../testing/transition-fixture.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../values/duration.ts";
import type { PartyId } from "../values/party-id.ts";
import { addDuration, type Time } from "../values/time.ts";
import { commandKey, submissionKey } from "./deduplication.ts";
import type { Outcome } from "./outcome.ts";

function setUp() {
  const network = new SimulatedNetwork();
  const alice = network.registerMember("alice");
  const app = network.hostParty(alice, "app");
  /** A submission that lasts as long as it may, under one command id unless another is given. */
  const submit = (change: Partial<Submission> = {}): Outcome =>
    network.submit(alice, {
      actAs: [alice.party],
      commands: [anyCommand(alice.party)],
      commandId: "pay",
      maxRecordTime: addDuration(network.now, 20n * HOUR),
      ...change,
    });
  /** Stamps what follows at exactly that time, which other SVs back. */
  const at = (time: Time) => {
    if (time > network.now + MINUTE) network.advanceTo(addDuration(time, -SECOND));
    network.clock = time;
  };
  return { network, alice, app, submit, at };
}

describe("a command", () => {
  test("an accepted command is not accepted again", () => {
    const { submit } = setUp();
    expect(resultOf(submit({ submissionId: "first" }))).toBe("accepted");
    const again = submit();
    expect(again.verdict).toMatchObject({
      kind: "rejected",
      error: {
        code: "DUPLICATE_COMMAND",
        context: { existing_submission_id: "first" },
        resources: [["COMMAND_ID", "pay"]],
      },
    });
    expect(again.created).toEqual([]);
  });

  test("a rejected command may be tried again", () => {
    const { submit } = setUp();
    expect(resultOf(submit({ commands: [] }))).toBe("INVALID_ARGUMENT");
    expect(resultOf(submit())).toBe("accepted");
    expect(resultOf(submit())).toBe("DUPLICATE_COMMAND");
  });

  test("a duplicate does not lengthen the period", () => {
    const { network, submit, at } = setUp();
    submit();
    const accepted = network.now;
    at(addDuration(accepted, 6n * DAY));
    expect(resultOf(submit({ maxRecordTime: addDuration(accepted, 6n * DAY) }))).toBe("DUPLICATE_COMMAND");
    at(addDuration(accepted, 7n * DAY + 1n));
    expect(resultOf(submit({ maxRecordTime: addDuration(accepted, 7n * DAY + 1n) }))).toBe("accepted");
  });

  test.each<[string, (given: ReturnType<typeof setUp>) => Partial<Submission>, string]>([
    ["the same user, command id and parties", () => ({}), "DUPLICATE_COMMAND"],
    [
      "other commands under the same id",
      ({ app, alice }) => ({ commands: [anyCommand(alice.party, app)] }),
      "DUPLICATE_COMMAND",
    ],
    ["other readers", ({ app }) => ({ readAs: [app] }), "DUPLICATE_COMMAND"],
    ["its party named twice", ({ alice }) => ({ actAs: [alice.party, alice.party] }), "DUPLICATE_COMMAND"],
    ["another user", () => ({ userId: "somebody-else" }), "accepted"],
    ["another command id", () => ({ commandId: "pay " }), "accepted"],
    ["another acting party beside it", ({ app, alice }) => ({ actAs: [alice.party, app] }), "accepted"],
  ])(
    "submitted again with %s is decided by user, command id and acting parties",
    (_case, change, expected) => {
      const given = setUp();
      given.submit();
      expect(resultOf(given.submit(change(given)))).toBe(expected);
    },
  );

  test("of two parties is the same in whatever order they stand", () => {
    const { alice, app, submit } = setUp();
    expect(resultOf(submit({ actAs: [alice.party, app] }))).toBe("accepted");
    expect(resultOf(submit({ actAs: [app, alice.party] }))).toBe("DUPLICATE_COMMAND");
  });
});

describe("the deduplication period", () => {
  /** The second of two submissions, so long after the first, that looks back so far. */
  function second({ after, lookBack }: { after: bigint; lookBack: bigint | null }): string {
    const { network, submit, at } = setUp();
    submit();
    const now = addDuration(network.now, after);
    at(now);
    const deduplicateFrom = lookBack === null ? null : addDuration(now, -lookBack);
    return resultOf(submit({ deduplicateFrom, maxRecordTime: now }));
  }

  test.each([
    { after: HOUR, lookBack: HOUR, expected: "DUPLICATE_COMMAND" },
    { after: HOUR, lookBack: HOUR - 1n, expected: "accepted" },
    { after: HOUR, lookBack: 0n, expected: "accepted" },
    { after: HOUR, lookBack: -HOUR, expected: "accepted" },
    { after: 1n, lookBack: 1n, expected: "DUPLICATE_COMMAND" },
    { after: 7n * DAY, lookBack: null, expected: "DUPLICATE_COMMAND" },
    { after: 7n * DAY + 1n, lookBack: null, expected: "accepted" },
    { after: 7n * DAY, lookBack: 30n * DAY, expected: "DUPLICATE_COMMAND" },
    { after: 7n * DAY + 1n, lookBack: 30n * DAY, expected: "accepted" },
  ])("of $lookBack µs, $after µs after the first: $expected", ({ after, lookBack, expected }) => {
    expect(second({ after, lookBack })).toBe(expected);
  });
});

describe("keys", () => {
  const party = fc.constantFrom("a::1220", "b::1220", "b,a::1220").map((id) => id as PartyId);
  const text = fc.oneof(fc.string(), fc.constantFrom("a", "a/b", "/", '"', "[", '","'));
  const command = fc.record({
    userId: text,
    commandId: text,
    actAs: fc.array(party, { minLength: 1, maxLength: 3 }),
  });
  type Named = { userId: string; commandId: string; actAs: readonly PartyId[] };
  const keyOf = (given: Named) => commandKey(given as Parameters<typeof commandKey>[0]);

  test("of two commands are equal only if user, command id and set of parties are", () => {
    const same = (a: Named, b: Named) =>
      a.userId === b.userId &&
      a.commandId === b.commandId &&
      new Set(a.actAs).symmetricDifference(new Set(b.actAs)).size === 0;
    fc.assert(
      fc.property(command, command, (a, b) => {
        expect(keyOf(a) === keyOf(b)).toBe(same(a, b));
        expect(keyOf({ ...a, actAs: a.actAs.toReversed() })).toBe(keyOf(a));
      }),
    );
  });

  test("of two submissions are equal only if member and id are", () => {
    const id = fc.record({
      member: fc.constantFrom("a::1220", "a:b::1220", "a b::1220"),
      submissionId: text,
    });
    fc.assert(
      fc.property(id, id, (a, b) => {
        const same = a.member === b.member && a.submissionId === b.submissionId;
        expect(submissionKey(a) === submissionKey(b)).toBe(same);
      }),
    );
  });
});
