import { beforeEach, describe, expect, test } from "vitest";
import { attestSnapshot } from "../../testing/attest-snapshot.ts";
import { joinSv } from "../../testing/change-svs.ts";
import { DsoActor } from "../../testing/dso-actor.ts";
import { verifyEd25519 } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { replay, type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { causeOf, resultOf } from "../../testing/transition-fixture.ts";
import type { AttestedSnapshot } from "./ledger-view.ts";
import { BACKED_TIME_VERSION } from "./limits.ts";
import { findSnapshotFault } from "./state-snapshot.ts";

function found(protocolVersion = BACKED_TIME_VERSION): SimulatedNetwork {
  const network = new SimulatedNetwork({
    ...{ svs: 4 },
    terms: { protocolVersion, isDevNet: false },
  });
  for (let sv = 0; sv < 4; sv++) network.tick(sv);
  return network;
}

const DIGEST = "d".repeat(64);
const FIRST = { sequence: 2n, digest: DIGEST };
const SECOND = { sequence: 3n, digest: DIGEST };
const OTHER = { sequence: 2n, digest: "e".repeat(64) };

describe("a snapshot", () => {
  let network: SimulatedNetwork;
  let svs: readonly [SimulatedMember, SimulatedMember, SimulatedMember, SimulatedMember];
  const agreed = () => network.state.findAgreedSnapshot();
  const fault = (snapshot = agreed() as AttestedSnapshot, known = network.network.svs) =>
    findSnapshotFault(snapshot, {
      ...{ network: network.network.id, svs: known, hash: sha256, verify: verifyEd25519 },
    });

  beforeEach(() => {
    network = found();
    svs = network.svs as unknown as typeof svs;
  });

  test("is agreed once three of four SVs have attested the same digest, whatever the fourth says", () => {
    const [one, two, three, four] = svs;
    expect(resultOf(attestSnapshot(network, one, FIRST))).toBe("accepted");
    expect(resultOf(attestSnapshot(network, two, OTHER))).toBe("accepted");
    attestSnapshot(network, three, FIRST);
    expect(agreed()).toBeUndefined();
    attestSnapshot(network, four, FIRST);
    expect(agreed()).toMatchObject({ ...FIRST, svSerial: 0n });
    expect(fault()).toBe(null);
    expect(replay(network.log).head).toEqual(network.state.head);
  });

  test("is replaced by a later one, and not by an earlier one", () => {
    const [one, two, three, four] = svs;
    for (const sv of [one, two, three]) attestSnapshot(network, sv, SECOND);
    expect(agreed()).toMatchObject(SECOND);
    attestSnapshot(network, four, FIRST);
    expect(agreed()).toMatchObject(SECOND);
    const again = attestSnapshot(network, one, FIRST);
    expect(resultOf(again)).toBe("INVALID_ARGUMENT");
    expect(causeOf(again)).toBe(
      `A snapshot after entry 2 cannot be attested: 4 to ${network.state.head.sequence - 1} are allowed`,
    );
    for (const sv of [one, two, four]) attestSnapshot(network, sv, { ...SECOND, sequence: 4n });
    expect(agreed()?.sequence).toBe(4n);
  });

  test("of an entry that has not come, with another form of digest or of a stranger is not attested", () => {
    const [one] = svs;
    const last = BigInt(network.state.head.sequence);
    expect(resultOf(attestSnapshot(network, one, { ...FIRST, sequence: last + 1n }))).toBe(
      "INVALID_ARGUMENT",
    );
    expect(resultOf(attestSnapshot(network, one, { ...FIRST, sequence: 0n }))).toBe("INVALID_ARGUMENT");
    expect(resultOf(attestSnapshot(network, one, { ...FIRST, digest: "D".repeat(64) }))).toBe(
      "INVALID_ARGUMENT",
    );
    expect(resultOf(attestSnapshot(network, one, FIRST, one.signingKey))).toBe("UNAUTHENTICATED");
    const stranger = network.registerMember("stranger");
    expect(resultOf(attestSnapshot(network, stranger, FIRST))).toBe("PERMISSION_DENIED");
    expect(network.state.findSnapshot(one.id)).toBeUndefined();
  });

  test("is checked without the log: signatures of another network, of strangers and twice the same count nothing", () => {
    const [one, two, three] = svs;
    for (const sv of [one, two, three]) attestSnapshot(network, sv, FIRST);
    const snapshot = agreed() as AttestedSnapshot;
    const [first, second] = snapshot.attestations as [AttestedSnapshot["attestations"][0], never];
    const needed = "and 3 are needed";
    expect(fault({ ...snapshot, attestations: [first, second, second] })).toContain(`2 of 4 SVs, ${needed}`);
    expect(fault({ ...snapshot, sequence: 4n })).toContain(`0 of 4 SVs, ${needed}`);
    expect(fault({ ...snapshot, digest: OTHER.digest })).toContain(`0 of 4 SVs, ${needed}`);
    expect(fault(snapshot, network.network.svs.slice(2))).toContain("1 of 2 SVs, and 2 are needed");
  });

  test("names the set of SVs that attested it", () => {
    const five = network.registerMember("sv5");
    joinSv(new DsoActor(network), five);
    for (const sv of [...svs.slice(1), five]) attestSnapshot(network, sv, FIRST);
    expect(agreed()).toMatchObject({ ...FIRST, svSerial: 1n });
    expect(fault()).toBe(null);
  });
});

test("before protocol version 4 nothing is attested, and the entry counts as one that cannot be read", () => {
  const network = found(3n);
  const outcome = attestSnapshot(network, network.svs[0] as SimulatedMember, FIRST);
  expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
  expect(outcome.changes).toEqual([]);
});
