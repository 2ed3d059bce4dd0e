import { describe, expect, test } from "vitest";
import { continuationOf, signContinuation, signingKeys } from "../../testing/continued-log.ts";
import { memberKey } from "../../testing/member-key.ts";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import {
  causeOf,
  foundingOf,
  nextEntry,
  QUORUMS,
  resultOf,
  sign,
  TestReplica,
} from "../../testing/transition-fixture.ts";
import { DAY, HOUR } from "../values/duration.ts";
import { addDuration, type Time } from "../values/time.ts";
import type { ContinueNetwork } from "./continuation-content.ts";
import { ReplicaHalt } from "./replica-halt.ts";

const founding = { protocolVersion: 1n };
const model = new SimulatedNetwork({ terms: { migrationId: 4n }, founding });
model.moveClock(DAY);
const { entry } = continuationOf(model);
const keys = signingKeys(model.svs);
const end = model.state.head;

function continued(
  change: Partial<ContinueNetwork> = {},
  given: { readonly keys?: typeof keys; readonly stampedAt?: Time } = {},
) {
  const replica = new TestReplica();
  const envelope = signContinuation({ ...entry, ...change }, given.keys ?? keys);
  return { replica, outcome: replica.append(envelope, given.stampedAt ?? model.clock) };
}

describe("the continuation of a network", () => {
  test("has the next migration id, an id of its own, and otherwise the same network", () => {
    const { replica, outcome } = continued();
    expect(resultOf(outcome)).toBe("accepted");
    const { id, protocolVersion, migrationId, awaitedParts, ...rest } = replica.state.network ?? {};
    const { id: idBefore, protocolVersion: before, migrationId: four, ...restBefore } = model.network;
    expect(rest).toEqual(restBefore);
    expect([before, protocolVersion, four, migrationId]).toEqual([1n, 2n, 4n, 5n]);
    expect(id).not.toBe(idBefore);
    expect(awaitedParts).toEqual(entry.parts);
  });

  test("knows the SVs with the keys that they have now", () => {
    const network = new SimulatedNetwork();
    const [sv] = network.svs;
    if (sv === undefined) throw new Error("no SV");
    network.rotateKey(sv, "another key");
    const replica = new TestReplica();
    const continuation = signContinuation(continuationOf(network).entry, signingKeys(network.svs));
    expect(resultOf(replica.append(continuation))).toBe("accepted");
    for (const { id } of network.svs)
      expect(replica.state.findMember(id)).toEqual(network.state.findMember(id));
    expect(replica.state.findMember(sv.id)?.signingKeys).toEqual([memberKey("another key").publicKey]);
  });

  test("goes on with the network's clock, and never before the log's end", () => {
    expect(model.network.clockOffset).toBe(DAY);
    const later = addDuration(model.clock, HOUR);
    expect(continued({}, { stampedAt: later }).outcome.head.recordTime).toBe(addDuration(later, DAY));
    const earlier = addDuration(model.clock, -HOUR);
    expect(continued({}, { stampedAt: earlier }).outcome.head.recordTime).toBe(end.recordTime + 1n);
  });

  test("is another network if it begins at another time", () => {
    const one = continued().replica.state.network?.id;
    expect(continued().replica.state.network?.id).toBe(one);
    const later = continued({}, { stampedAt: addDuration(model.clock, HOUR) });
    expect(later.replica.state.network?.id).not.toBe(one);
  });

  test.each(QUORUMS)("of $svs SVs takes the signatures of $required", ({ svs, required }) => {
    const network = new SimulatedNetwork({ svs });
    const { entry: drafted } = continuationOf(network);
    const signedBy = (count: number) =>
      new TestReplica().append(signContinuation(drafted, signingKeys(network.svs.slice(0, count))));
    expect(resultOf(signedBy(required))).toBe("accepted");
    const few = signedBy(required - 1);
    expect(resultOf(few)).toBe("INVALID_ARGUMENT");
    expect(causeOf(few)).toContain(`${required} of ${svs} SVs, not of ${required - 1}`);
  });

  test("counts SVs, not signatures", () => {
    const [one, two, three] = model.svs.map(({ signingKey }) => signingKey) as [never, never, never];
    const strangers = ["x", "y", "z"].map(memberKey);
    const namespaces = model.svs.map(({ namespaceKey }) => namespaceKey);
    expect(resultOf(continued({}, { keys: [one, two, two, one] }).outcome)).toBe("INVALID_ARGUMENT");
    expect(resultOf(continued({}, { keys: strangers }).outcome)).toBe("INVALID_ARGUMENT");
    expect(resultOf(continued({}, { keys: namespaces }).outcome)).toBe("INVALID_ARGUMENT");
    expect(resultOf(continued({}, { keys: [one, two, three] }).outcome)).toBe("accepted");
  });

  const [sv1, ...others] = entry.svs;
  if (sv1 === undefined) throw new Error("no SV");
  const stranger = new SimulatedNetwork({ svs: 1 });
  const hash = "a".repeat(64);
  const refused: readonly [string, Partial<ContinueNetwork>, string][] = [
    ["another DSO", { dso: stranger.dso }, "does not belong to the namespace of its SVs"],
    ["another synchronizer", { synchronizerId: "x::1220" }, "does not belong to the namespace of its SVs"],
    ["an SV less", { svs: others }, "does not belong to the namespace of its SVs"],
    ["no SV", { svs: [] }, "it has no SVs"],
    ["an SV twice", { svs: [...entry.svs, sv1] }, "an SV is named twice"],
    ["an SV with another key", { svs: [{ ...sv1, namespaceKey: hash }, ...others] }, "fingerprint"],
    ["an SV without a key", { svs: [{ ...sv1, signingKeys: [] }, ...others] }, "no valid keys"],
    ["no part", { parts: [] }, "its parts are"],
    ["a part twice", { parts: [hash, hash] }, "its parts are"],
    ["a part without a hash", { parts: ["A".repeat(64)] }, "its parts are"],
    ["a clock that was moved although it cannot be", { movableClock: false }, "its clock cannot stand"],
    ["a clock behind", { clockOffset: -1n }, "its clock cannot stand"],
    ["a negative allowance", { burstAmount: -1n }, "is negative"],
    ["a negative migration id", { previous: { ...entry.previous, migrationId: -1n } }, "is negative"],
    ["the first protocol version", { protocolVersion: 1n }, "knows no continuation"],
  ];
  test.each(refused)("is refused with %s", (_case, change, cause) => {
    const { replica, outcome } = continued(change);
    expect([resultOf(outcome), outcome.changes]).toEqual(["INVALID_ARGUMENT", []]);
    expect(causeOf(outcome)).toContain(cause);
    expect(replica.state.network).toBeNull();
  });

  test("is refused if a signature does not hold", () => {
    const { content, signatures } = signContinuation(entry, keys);
    const forged = signatures.map((each) => ({ ...each, signature: "0".repeat(128) }));
    expect(resultOf(new TestReplica().append({ content, signatures: forged }))).toBe("INVALID_ARGUMENT");
  });

  test("that needs a newer program stops the replica, if it is signed", () => {
    expect(() => continued({ protocolVersion: 6n })).toThrow(ReplicaHalt);
    expect(resultOf(continued({ protocolVersion: 6n }, { keys: [] }).outcome)).toBe("INVALID_ARGUMENT");
  });

  test("is the first entry of a log or nothing, with the digest of an entry that cannot be read", () => {
    const founded = new SimulatedNetwork();
    const replica = new TestReplica({}, founded.state);
    const { content } = signContinuation(continuationOf(founded).entry, []);
    for (const signatures of [
      [],
      signContinuation(continuationOf(founded).entry, signingKeys(founded.svs)).signatures,
    ]) {
      const outcome = replica.decide(nextEntry(founded.state, { content, signatures }));
      expect([resultOf(outcome), outcome.changes]).toEqual(["INVALID_ARGUMENT", []]);
    }
    // The founding is valid once; after a continuation it is not.
    const { replica: going } = continued();
    const founding = sign({ tag: "FoundNetwork", value: foundingOf(model) }, [
      ...keys,
      ...model.svs.map(({ namespaceKey }) => namespaceKey),
    ]);
    expect(resultOf(going.append(founding))).toBe("INVALID_ARGUMENT");
    expect(resultOf(going.append(signContinuation(entry, keys)))).toBe("INVALID_ARGUMENT");
  });
});
