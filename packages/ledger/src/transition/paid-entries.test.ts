import { describe, expect, test } from "vitest";
import { smallAllowance } from "../../testing/small-allowance.ts";
import { anyCommand, causeOf, resultOf, START, sign } from "../../testing/transition-fixture.ts";
import { MINUTE, SECOND } from "../values/duration.ts";
import type { PartyId } from "../values/party-id.ts";
import { utf8Length } from "../values/text.ts";
import { addDuration, type Time } from "../values/time.ts";

describe("an entry", () => {
  test("costs the bytes of its content, whatever it does", () => {
    const { network, alice, content, left } = smallAllowance();
    for (const commands of [[anyCommand(alice.party)], []]) {
      const signed = sign(content(commands), [alice.signingKey]);
      const before = left();
      const outcome = network.applyEntry(network.sequence(signed));
      expect(resultOf(outcome)).toBe(commands.length === 0 ? "INVALID_ARGUMENT" : "accepted");
      expect(left()).toBe(before - BigInt(utf8Length(signed.content)));
    }
  });

  test("costs its bytes in UTF-8", () => {
    const { network, alice, left } = smallAllowance();
    const before = left();
    const submission = { actAs: [alice.party], commands: [], userId: "ü€😀" };
    const signed = sign(network.submitContent(alice, submission), [alice.signingKey]);
    network.applyEntry(network.sequence(signed));
    expect(before - left()).toBe(BigInt(Buffer.byteLength(signed.content)));
  });

  test("of every kind costs: the log cannot be filled with topology", () => {
    const { network, alice, left } = smallAllowance();
    const before = left();
    const party = alice.party.replace("alice", "app") as PartyId;
    const value = { ...network.once(alice.id), party, hosts: [alice.id], serial: 1n };
    const signed = sign({ tag: "HostParty", value }, [alice.signingKey]);
    expect(resultOf(network.applyEntry(network.sequence(signed)))).toBe("accepted");
    expect(left()).toBe(before - BigInt(signed.content.length));
    const tick = sign({ tag: "Tick", value: network.once(alice.id) }, [alice.signingKey]);
    expect(resultOf(network.applyEntry(network.sequence(tick)))).toBe("PERMISSION_DENIED");
    expect(left()).toBe(before - BigInt(signed.content.length + tick.content.length));
  });

  test("an entry that the gate refuses or has seen before costs nothing", () => {
    const { network, alice, content, left } = smallAllowance();
    const signed = sign(content([anyCommand(alice.party)]), [alice.signingKey]);
    network.applyEntry(network.sequence(signed));
    const before = left();
    expect(resultOf(network.applyEntry(network.sequence(signed)))).toBe("ignored");
    const unsigned = { ...signed, signatures: [] };
    expect(resultOf(network.applyEntry(network.sequence(unsigned)))).toBe("UNAUTHENTICATED");
    expect(left()).toBe(before);
  });

  test("an entry that registers a member costs nothing", () => {
    const { network, left } = smallAllowance(3_000n);
    const [registration, hosting] = network.log.slice(-2);
    expect(registration?.content).toContain("RegisterMember");
    expect(left()).toBe(3_000n - BigInt(hosting?.content.length ?? 0));
  });

  test("of an SV costs nothing", () => {
    const { network } = smallAllowance(0n);
    const [sv] = network.svs;
    if (sv === undefined) throw new Error("no SV");
    const submission = { actAs: [sv.party], commands: [anyCommand(sv.party)] };
    expect(resultOf(network.submit(sv, submission))).toBe("accepted");
    expect(network.state.findTraffic(sv.id)).toBeUndefined();
  });
});

describe("a member without traffic", () => {
  test.each([
    // A third of a byte a second: what is missing takes three times as many seconds.
    [
      2_000n,
      6_000n,
      (missing: bigint) => `Wait about ${missing * 3n} seconds for the free allowance to refill, or buy`,
    ],
    [700n, 2_100n, () => "More than the free allowance of 700 bytes is needed: buy"],
  ])(
    "with %i free bytes is told what is missing and what to do; it pays nothing and its id is used up",
    (burst, seconds, advice) => {
      const { network, alice, content, left } = smallAllowance(burst, seconds * SECOND);
      const submit = () =>
        network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
      while (burst > 1_000n && left() > 800n) expect(resultOf(submit())).toBe("accepted");
      const signed = sign(content([anyCommand(alice.party)]), [alice.signingKey]);
      const cost = BigInt(signed.content.length);
      const before = left();
      expect(cost > before).toBe(true);
      const outcome = network.applyEntry(network.sequence(signed));
      expect(resultOf(outcome)).toBe("SEQUENCER_BACKPRESSURE");
      expect(causeOf(outcome)).toBe(
        `The entry costs ${cost} bytes of traffic and ${alice.id} has ${before} left, so ${cost - before} are missing. ` +
          `${advice(cost - before)} traffic for PAR::${alice.id} with AmuletRules_BuyMemberTraffic`,
      );
      expect(outcome.created).toEqual([]);
      expect(outcome.completion).not.toBeNull();
      expect(left()).toBe(before);
      expect(resultOf(network.applyEntry(network.sequence(signed)))).toBe("ignored");
    },
  );

  test("may send again once its allowance has refilled, and not a microsecond earlier", () => {
    // A byte a millisecond; the network starts at a full second.
    const { network, alice, left } = smallAllowance(1_500n, 1_500n * 1_000n);
    const common = {
      actAs: [alice.party],
      commands: [anyCommand(alice.party)],
      maxRecordTime: addDuration(START, MINUTE),
    };
    // Ids of one length, so that every submission costs the same.
    const signed = (id: "a" | "b" | "c") =>
      sign(network.submitContent(alice, { ...common, submissionId: id, commandId: id }), [alice.signingKey]);
    const send = (id: "a" | "b" | "c") => resultOf(network.applyEntry(network.sequence(signed(id))));
    expect(send("a")).toBe("accepted");
    const missing = BigInt(signed("b").content.length) - left();
    expect(missing > 0n).toBe(true);
    const whole = network.now - (network.now % 1_000n);
    network.clock = (whole + missing * 1_000n - 1n) as Time;
    expect(send("b")).toBe("SEQUENCER_BACKPRESSURE");
    expect(send("c")).toBe("accepted");
    expect(network.now).toBe(whole + missing * 1_000n);
  });
});
