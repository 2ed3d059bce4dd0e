import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { anyCommand, causeOf, resultOf, sign } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { DAY, HOUR, SECOND } from "../values/duration.ts";
import { addDuration, type Time } from "../values/time.ts";
import type { Submit } from "./entry-content.ts";
import type { Outcome } from "./outcome.ts";

function setUp() {
  const network = new SimulatedNetwork();
  const alice = network.registerMember("alice");
  const bob = network.registerMember("bob");
  const submission = { actAs: [alice.party], commands: [anyCommand(alice.party)] };
  /** A submission of Alice's with some of its fields changed, signed by her or others. */
  const submit = (change: Partial<Submit> = {}, keys: readonly MemberKey[] = [alice.signingKey]): Outcome => {
    const content = network.submitContent(alice, submission);
    if (content.tag !== "Submit") throw new Error("not a submission");
    return network.append({ ...content, value: { ...content.value, ...change } }, keys);
  };
  return { network, alice, bob, submission, submit };
}

/** A refused entry leaves nothing behind but its stamp: its id can still be used. */
function expectTurnedAway(outcome: Outcome): void {
  expect(outcome.changes.filter(({ kind }) => kind !== "stamp")).toEqual([]);
  expect(outcome.completion).toBeNull();
  expect(outcome.created).toEqual([]);
}

describe("an entry is refused at the gate", () => {
  test("when it is for another network", () => {
    const { network, submit } = setUp();
    const elsewhere = new SimulatedNetwork({ svs: 1 }).network.id;
    expect(elsewhere).not.toBe(network.network.id);
    const outcome = submit({ network: elsewhere });
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain(elsewhere);
    expectTurnedAway(outcome);
  });

  test("when its member is not known, however it is signed", () => {
    const { network, alice, submit } = setUp();
    const outcome = submit({ member: alice.id.replace("alice", "mallory") }, [
      alice.signingKey,
      alice.namespaceKey,
    ]);
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
    expectTurnedAway(outcome);
    expect(network.state.findMember(alice.id.replace("alice", "mallory"))).toBeUndefined();
  });

  test.each<[string, (members: { alice: SimulatedMember; bob: SimulatedMember }) => readonly MemberKey[]]>([
    ["by nobody", () => []],
    ["by another member", ({ bob }) => [bob.signingKey]],
    ["by another member with both its keys", ({ bob }) => [bob.signingKey, bob.namespaceKey]],
    ["by the member's namespace key only", ({ alice }) => [alice.namespaceKey]],
    ["by a key that nobody delegated", () => [memberKey("stranger")]],
  ])("when it is signed %s", (_case, keysOf) => {
    const { alice, bob, submit } = setUp();
    const outcome = submit({}, keysOf({ alice, bob }));
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
    expectTurnedAway(outcome);
  });

  test("when a signature does not hold, even beside one that does", () => {
    const { network, alice, bob, submission } = setUp();
    const signed = sign(network.submitContent(alice, submission), [alice.signingKey]);
    const [good] = signed.signatures;
    const forged = { publicKey: bob.signingKey.publicKey, signature: good?.signature ?? "" };
    const outcome = network.applyEntry(
      network.sequence({ ...signed, signatures: [...signed.signatures, forged] }),
    );
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
    expectTurnedAway(outcome);
    // The good copy of it still counts.
    expect(resultOf(network.applyEntry(network.sequence(signed)))).toBe("accepted");
  });

  test("when its content was changed after it was signed", () => {
    const { network, alice, submission } = setUp();
    const signed = sign(network.submitContent(alice, { ...submission, commandId: "pay-once" }), [
      alice.signingKey,
    ]);
    const content = signed.content.replace("pay-once", "pay-more");
    expect(content).not.toBe(signed.content);
    const outcome = network.applyEntry(network.sequence({ ...signed, content }));
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
    expectTurnedAway(outcome);
  });

  test.each(["submissionId", "userId", "commandId", "workflowId"] as const)(
    "when its %s is longer than 255 characters",
    (field) => {
      const { submit } = setUp();
      expect(resultOf(submit({ [field]: "x".repeat(255) }))).toBe("accepted");
      const outcome = submit({ [field]: "x".repeat(256) });
      expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
      expectTurnedAway(outcome);
    },
  );

  test("with words that do not grow with what was sent", () => {
    const { submit } = setUp();
    const long = "x".repeat(100_000);
    for (const change of [{ network: long }, { member: long }, { submissionId: long }]) {
      expect(causeOf(submit(change)).length).toBeLessThan(500);
    }
  });
});

describe("the latest record time of an entry", () => {
  /** The outcome of a submission whose latest record time lies so far from when it is recorded. */
  function submitWithin(micros: bigint) {
    const { network, submit } = setUp();
    network.clock = addDuration(network.clock, SECOND);
    return submit({ maxRecordTime: addDuration(network.clock, micros) });
  }

  test("is the last microsecond at which it is accepted", () => {
    expect(resultOf(submitWithin(0n))).toBe("accepted");
    const late = submitWithin(-1n);
    expect(resultOf(late)).toBe("NOT_SEQUENCED_TIMEOUT");
    expect(causeOf(late)).toBe(
      "The entry came at 2026-01-01T00:00:01Z, after its latest record time 2026-01-01T00:00:00.999999Z",
    );
    // The replica no longer knows if it was applied in time, so this must not contradict an earlier completion.
    expectTurnedAway(late);
  });

  test("is compared with the record time, not with the stamp", () => {
    const { network, submit } = setUp();
    network.moveClock(DAY);
    const maxRecordTime = addDuration(network.clock, HOUR);
    expect(resultOf(submit({ maxRecordTime }))).toBe("NOT_SEQUENCED_TIMEOUT");
    expect(resultOf(submit({ maxRecordTime: addDuration(maxRecordTime, DAY) }))).toBe("accepted");
  });

  test("lies at most 24 hours ahead", () => {
    expect(resultOf(submitWithin(24n * HOUR))).toBe("accepted");
    const far = submitWithin(24n * HOUR + 1n);
    expect(resultOf(far)).toBe("INVALID_ARGUMENT");
    expect(causeOf(far)).toContain("86400 seconds");
    expectTurnedAway(far);
  });
});

describe("an entry happens once", () => {
  test("a copy of it, from the same or another sequencer, is ignored and changes nothing", () => {
    const { network, alice, submission } = setUp();
    const signed = sign(network.submitContent(alice, submission), [alice.signingKey]);
    expect(resultOf(network.applyEntry(network.sequence(signed)))).toBe("accepted");
    const contracts = [...network.state.contracts.keys()];
    const traffic = network.state.findTraffic(alice.id);
    network.clock = addDuration(network.clock, SECOND);
    const copy = network.applyEntry(network.sequence(signed));
    expect(resultOf(copy)).toBe("ignored");
    expectTurnedAway(copy);
    expect([...network.state.contracts.keys()]).toEqual(contracts);
    expect(network.state.findTraffic(alice.id)).toEqual(traffic);
  });

  test("another submission under its id is ignored too", () => {
    const { submit } = setUp();
    expect(resultOf(submit({ submissionId: "one" }))).toBe("accepted");
    expect(resultOf(submit({ submissionId: "one", commandId: "another" }))).toBe("ignored");
  });

  test("a rejected one is over as well: its copy is ignored", () => {
    const { alice, submit } = setUp();
    const invalid = { submissionId: "one", commands: [] };
    expect(resultOf(submit(invalid))).toBe("INVALID_ARGUMENT");
    expect(resultOf(submit({ submissionId: "one", commands: [anyCommand(alice.party)] }))).toBe("ignored");
  });

  test("ids of different members, or ids that look alike, are different", () => {
    const { network, bob, submit } = setUp();
    submit({ submissionId: "one" });
    const commands = [anyCommand(bob.party)];
    expect(resultOf(network.submit(bob, { actAs: [bob.party], commands, submissionId: "one" }))).toBe(
      "accepted",
    );
    for (const submissionId of ["One", "one ", "/one", "one/"]) {
      expect(resultOf(submit({ submissionId }))).toBe("accepted");
    }
  });

  test("ids are shared by all kinds of entries", () => {
    const { network, alice, submit } = setUp();
    submit({ submissionId: "one" });
    const value = {
      ...network.once(alice.id),
      submissionId: "one",
      party: alice.party,
      hosts: [alice.id],
      serial: 2n,
    };
    const outcome = network.append({ tag: "HostParty", value }, [alice.signingKey]);
    expect(resultOf(outcome)).toBe("ignored");
    expect(network.state.findHosting(alice.party)?.serial).toBe(1n);
  });

  test("after its latest record time a copy is too late, not ignored", () => {
    const { network, alice, submission } = setUp();
    const maxRecordTime = addDuration(network.now, HOUR);
    const signed = sign(network.submitContent(alice, { ...submission, maxRecordTime }), [alice.signingKey]);
    network.applyEntry(network.sequence(signed));
    network.advance(2n * HOUR);
    const copy = network.applyEntry(network.sequence(signed));
    expect(resultOf(copy)).toBe("NOT_SEQUENCED_TIMEOUT");
    expectTurnedAway(copy);
  });

  test("after its latest record time its id may be used again", () => {
    const { network, submit } = setUp();
    const until = (time: Time) => ({ submissionId: "one", maxRecordTime: time });
    const first = addDuration(network.now, HOUR);
    submit(until(first));
    network.advanceTo(addDuration(first, -SECOND));
    network.clock = first;
    expect(resultOf(submit(until(addDuration(first, HOUR))))).toBe("ignored");
    expect(network.now).toBe(first);
    expect(resultOf(submit(until(addDuration(first, HOUR))))).toBe("accepted");
  });
});

describe("a tick", () => {
  test("of an SV lets time pass and does nothing else", () => {
    const { network } = setUp();
    const [sv] = network.svs;
    const value = network.once(sv?.id ?? "");
    network.clock = addDuration(network.clock, 30n * SECOND);
    const outcome = network.append(
      { tag: "Tick", value: { ...value, maxRecordTime: network.clock } },
      sv ? [sv.signingKey] : [],
    );
    expect(resultOf(outcome)).toBe("accepted");
    expect(outcome.changes.map(({ kind }) => kind)).toEqual(["stamp", "submission"]);
    expect(network.now).toBe(network.clock);
  });

  test("of any other member is refused", () => {
    const { network, alice } = setUp();
    const outcome = network.append({ tag: "Tick", value: network.once(alice.id) }, [alice.signingKey]);
    expect(resultOf(outcome)).toBe("PERMISSION_DENIED");
    expect(causeOf(outcome)).toBe(`Only SVs may do this, and ${alice.id} is none`);
  });

  test("of an SV's name signed by another key is refused", () => {
    const { network, alice } = setUp();
    const [sv] = network.svs;
    const outcome = network.append({ tag: "Tick", value: network.once(sv?.id ?? "") }, [alice.signingKey]);
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
  });
});

test("an entry signed for one purpose does not serve another", () => {
  const { network, alice } = setUp();
  const once = network.once(alice.id);
  const tick = sign({ tag: "Tick", value: once }, [alice.signingKey]);
  const clock = sign({ tag: "MoveClock", value: { ...once, forward: relTime(DAY) } }, []);
  const crossed = network.applyEntry(
    network.sequence({ content: clock.content, signatures: tick.signatures }),
  );
  expect(resultOf(crossed)).toBe("UNAUTHENTICATED");
});
