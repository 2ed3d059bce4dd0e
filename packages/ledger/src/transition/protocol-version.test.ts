import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { causeOf, QUORUMS, resultOf, sign, TestReplica } from "../../testing/transition-fixture.ts";
import type { EntryContent } from "./entry-content.ts";
import { ReplicaHalt } from "./replica-halt.ts";

describe("a protocol version", () => {
  /** Signed by the first few SVs. */
  function activate(given: { svs: number; signers: number; version: bigint }) {
    const network = new SimulatedNetwork({ svs: given.svs, founding: { protocolVersion: 1n } });
    const replica = new TestReplica({}, network.state);
    const [first] = network.svs;
    const content: EntryContent = {
      tag: "ActivateVersion",
      value: { ...network.once(first?.id ?? ""), version: given.version },
    };
    const keys = network.svs.slice(0, given.signers).map(({ signingKey }) => signingKey);
    const outcome = replica.append(sign(content, keys));
    return { outcome, version: network.network.protocolVersion };
  }

  test.each(QUORUMS)("of $svs SVs takes the signatures of $required", ({ svs, required }) => {
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

  test("an unknown version stops the replica", () => {
    const unknown = { svs: 4, signers: 3, version: 6n };
    expect(() => activate(unknown)).toThrow(ReplicaHalt);
    expect(() => activate(unknown)).toThrow("protocol version 6");
  });

  test("an unknown version without a quorum stops no replica", () => {
    const { outcome } = activate({ svs: 4, signers: 2, version: 99n });
    expect(resultOf(outcome)).toBe("PERMISSION_DENIED");
  });

  test("counts SVs, not signatures: neither repeated ones, nor namespace keys, nor other members", () => {
    const network = new SimulatedNetwork({ founding: { protocolVersion: 1n } });
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
    const network = new SimulatedNetwork({ founding: { protocolVersion: 1n } });
    const alice = network.registerMember("alice");
    const replica = new TestReplica({}, network.state);
    const ask = (keys: readonly MemberKey[]) =>
      replica.append(
        sign({ tag: "ActivateVersion", value: { ...network.once(alice.id), version: 3n } }, keys),
      );
    expect(resultOf(ask([alice.signingKey]))).toBe("PERMISSION_DENIED");
    const svs = network.svs.map(({ signingKey }) => signingKey);
    expect(resultOf(ask([alice.signingKey, ...svs]))).toBe("accepted");
  });

  test("is not activated by a key that was rotated away", () => {
    const network = new SimulatedNetwork({ founding: { protocolVersion: 1n } });
    const [one, two, three] = network.svs as [SimulatedMember, SimulatedMember, SimulatedMember];
    const next = memberKey("sv3 next");
    const value = { ...network.once(three.id), serial: 2n, signingKeys: [next.publicKey] };
    network.append({ tag: "DelegateKeys", value }, [three.namespaceKey, next]);
    const replica = new TestReplica({}, network.state);
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
