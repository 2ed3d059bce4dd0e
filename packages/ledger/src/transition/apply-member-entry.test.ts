import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { anyCommand, causeOf, resultOf, sign, TestReplica } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { DAY, HOUR, SECOND } from "../values/duration.ts";
import { addDuration, type Time } from "../values/time.ts";
import type { EntryContent, Submit } from "./entry-content.ts";
import type { Outcome } from "./outcome.ts";
import { ReplicaHalt } from "./replica-halt.ts";

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

/** Entries that are turned away leave nothing behind: their id can still be used. */
function expectTurnedAway(outcome: Outcome): void {
  expect(outcome.changes).toEqual([]);
  expect(outcome.completion).toBeNull();
  expect(outcome.created).toEqual([]);
}

describe("an entry is turned away", () => {
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
    // Whether it was applied in time is no longer known, so this must not contradict an earlier completion.
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
    network.clock = addDuration(network.clock, HOUR);
    const outcome = network.append(
      { tag: "Tick", value: { ...value, maxRecordTime: network.clock } },
      sv ? [sv.signingKey] : [],
    );
    expect(resultOf(outcome)).toBe("accepted");
    expect(outcome.changes.map(({ kind }) => kind)).toEqual(["submission"]);
    expect(network.now).toBe(network.clock);
  });

  test("of anybody else is refused", () => {
    const { network, alice } = setUp();
    const outcome = network.append({ tag: "Tick", value: network.once(alice.id) }, [alice.signingKey]);
    expect(resultOf(outcome)).toBe("PERMISSION_DENIED");
    expect(causeOf(outcome)).toBe(`Only SVs may do this, and ${alice.id} is none`);
  });

  test("of an SV's name signed by somebody else is turned away", () => {
    const { network, alice } = setUp();
    const [sv] = network.svs;
    const outcome = network.append({ tag: "Tick", value: network.once(sv?.id ?? "") }, [alice.signingKey]);
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
  });
});

describe("a protocol version", () => {
  /** Signed by the first few SVs, on a replica that knows these versions. */
  function activate(given: { svs: number; signers: number; version: bigint; supported?: readonly bigint[] }) {
    const network = new SimulatedNetwork({ svs: given.svs });
    const replica = new TestReplica({ supportedVersions: given.supported ?? [1n, 2n] }, network.state);
    const [first] = network.svs;
    const content: EntryContent = {
      tag: "ActivateVersion",
      value: { ...network.once(first?.id ?? ""), version: given.version },
    };
    const keys = network.svs.slice(0, given.signers).map(({ signingKey }) => signingKey);
    const outcome = replica.append(sign(content, keys));
    return { outcome, version: network.network.protocolVersion };
  }

  // ⌈(n + ⌊(n − 1) / 3⌋ + 1) / 2⌉
  test.each([
    { svs: 1, required: 1 },
    { svs: 2, required: 2 },
    { svs: 4, required: 3 },
    { svs: 7, required: 5 },
  ])("of $svs SVs takes the signatures of $required", ({ svs, required }) => {
    const enough = activate({ svs, signers: required, version: 2n });
    expect(resultOf(enough.outcome)).toBe("accepted");
    expect(enough.version).toBe(2n);
    if (required === 1) return;
    const few = activate({ svs, signers: required - 1, version: 2n });
    expect(resultOf(few.outcome)).toBe("PERMISSION_DENIED");
    expect(causeOf(few.outcome)).toBe(
      `A protocol version needs ${required} SVs' signatures, not ${required - 1}`,
    );
    expect(few.version).toBe(1n);
  });

  test.each([1n, 0n, -1n])("%s is not above the one in force", (version) => {
    expect(resultOf(activate({ svs: 4, signers: 4, version }).outcome)).toBe("INVALID_ARGUMENT");
  });

  test("that this program does not know stops the replica", () => {
    const unknown = { svs: 4, signers: 3, version: 2n, supported: [1n] };
    expect(() => activate(unknown)).toThrow(ReplicaHalt);
    expect(() => activate(unknown)).toThrow("protocol version 2");
  });

  test("that this program does not know stops nobody without a quorum", () => {
    const { outcome } = activate({ svs: 4, signers: 2, version: 99n, supported: [1n] });
    expect(resultOf(outcome)).toBe("PERMISSION_DENIED");
  });

  test("counts SVs, not signatures: neither repeated ones, nor namespace keys, nor other members", () => {
    const network = new SimulatedNetwork();
    const [one, two] = network.svs as [SimulatedMember, SimulatedMember];
    const others = ["alice", "bob", "carol"].map((name) => network.registerMember(name).signingKey);
    const content: EntryContent = { tag: "ActivateVersion", value: { ...network.once(one.id), version: 2n } };
    const namespaceKeys = network.svs.map(({ namespaceKey }) => namespaceKey);
    const keys = [
      one.signingKey,
      one.signingKey,
      two.signingKey,
      two.signingKey,
      ...namespaceKeys,
      ...others,
    ];
    expect(resultOf(network.append(content, keys))).toBe("PERMISSION_DENIED");
  });

  test("may be asked for by any member, but only SVs decide", () => {
    const network = new SimulatedNetwork();
    const alice = network.registerMember("alice");
    const replica = new TestReplica({ supportedVersions: [1n, 2n] }, network.state);
    const ask = (keys: readonly MemberKey[]) =>
      replica.append(
        sign({ tag: "ActivateVersion", value: { ...network.once(alice.id), version: 2n } }, keys),
      );
    expect(resultOf(ask([alice.signingKey]))).toBe("PERMISSION_DENIED");
    const svs = network.svs.map(({ signingKey }) => signingKey);
    expect(resultOf(ask([alice.signingKey, ...svs]))).toBe("accepted");
  });

  test("is not activated by a key that was rotated away", () => {
    const network = new SimulatedNetwork();
    const [one, two, three] = network.svs as [SimulatedMember, SimulatedMember, SimulatedMember];
    const next = memberKey("sv3 next");
    const value = { ...network.once(three.id), serial: 2n, signingKeys: [next.publicKey] };
    network.append({ tag: "DelegateKeys", value }, [three.namespaceKey, next]);
    const replica = new TestReplica({ supportedVersions: [1n, 2n] }, network.state);
    const activateBy = (third: MemberKey) =>
      replica.append(
        sign({ tag: "ActivateVersion", value: { ...network.once(one.id), version: 2n } }, [
          one.signingKey,
          two.signingKey,
          third,
        ]),
      );
    expect(resultOf(activateBy(three.signingKey))).toBe("PERMISSION_DENIED");
    expect(resultOf(activateBy(next))).toBe("accepted");
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
