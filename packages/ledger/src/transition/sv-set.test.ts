import { beforeEach, describe, expect, test } from "vitest";
import { attest, joinSv, leaveSv } from "../../testing/change-svs.ts";
import { DsoActor } from "../../testing/dso-actor.ts";
import { verifyEd25519 } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { replay, type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { causeOf, resultOf } from "../../testing/transition-fixture.ts";
import { DsoRules } from "../contracts/splice-dso-governance/declarations/dso-rules.ts";
import { HOUR, MINUTE, SECOND } from "../values/duration.ts";
import { addDuration } from "../values/time.ts";
import { backedTime } from "./backed-time.ts";
import { BACKED_TIME_VERSION } from "./limits.ts";
import { findSvSetFault, isAttested, type SvSetChange, svSetEffects, svSetMessage } from "./sv-set.ts";

function found(svs: number, protocolVersion = BACKED_TIME_VERSION) {
  const network = new SimulatedNetwork({
    ...{ svs },
    terms: { protocolVersion, isDevNet: false },
  });
  const dso = new DsoActor(network);
  const members = network.svs;
  const set = () => network.network.svs;
  return { network, dso, members, set };
}

const idsOf = (members: readonly SimulatedMember[]) => members.map(({ id }) => id);

describe("the network's SVs", () => {
  let four: ReturnType<typeof found>;
  let fifth: SimulatedMember;

  beforeEach(() => {
    four = found(4);
    fifth = four.network.registerMember("sv5");
  });

  test("follow DsoRules at once: five after an SV has joined, four after another has left", () => {
    const { network, dso, members, set } = four;
    const { serial = 0n } = network.state.findHosting(network.dso) ?? {};
    expect(resultOf(joinSv(dso, fifth))).toBe("accepted");
    expect(set()).toEqual([...idsOf(members), fifth.id]);
    expect(network.state.findHosting(network.dso)).toMatchObject({ hosts: set(), serial: serial + 1n });
    // The newcomer acts as an SV: its ticks count, and it reads as the DSO.
    expect(resultOf(network.tick(4))).toBe("accepted");
    const [, second] = members as [SimulatedMember, SimulatedMember];
    expect(resultOf(leaveSv(dso, second.party))).toBe("accepted");
    expect(set()).toEqual([members[0], members[2], members[3], fifth].map((member) => member?.id));
    expect(network.network.svSerial).toBe(2n);
    expect(replay(network.log).head).toEqual(network.state.head);
  });

  test("lose their rights with the set: no tick, no stamp, traffic that is paid", () => {
    const { network, dso, members } = four;
    const gone = members[3] as SimulatedMember;
    leaveSv(dso, gone.party);
    network.svs = [...network.svs, gone];
    expect(resultOf(network.tick(3))).toBe("PERMISSION_DENIED");
    expect(network.state.findTraffic(gone.id)?.free).toBeLessThan(network.network.burstAmount);
    const before = network.now;
    network.clock = addDuration(network.clock, 30n * SECOND);
    expect(network.tick(3).head.recordTime).toBe(before + 1n);
  });

  test("are those before if the rules name no registered member", () => {
    const { dso, set, members } = four;
    const outcome = joinSv(dso, fifth, "PAR::nobody::1220");
    expect(resultOf(outcome)).toBe("accepted");
    expect(set()).toEqual(idsOf(members));
    expect(outcome.changes.some(({ kind }) => kind === "sv-set")).toBe(false);
  });

  test("stay those of the founding in earlier protocol versions", () => {
    const { network, dso, members, set } = found(4, 3n);
    expect(resultOf(joinSv(dso, network.registerMember("sv5")))).toBe("accepted");
    expect(set()).toEqual(idsOf(members));
    const [first] = members as [SimulatedMember];
    const outcome = attest(network, first, "");
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(outcome.changes).toEqual([]);
  });

  test("count a newcomer's stamp from its joining on, so that time goes on with one SV and its newcomer", () => {
    const { network, dso } = found(1);
    const second = network.registerMember("sv2");
    network.advance(HOUR);
    joinSv(dso, second);
    expect(network.state.findStamp(second.id)).toBe(addDuration(network.now, -network.network.clockOffset));
    network.advance(30n * SECOND);
    const before = network.now;
    network.advance(MINUTE);
    expect(network.now - before).toBe(MINUTE);
    expect(backedTime(network.network, network.state)).toBe(network.clock);
  });

  test("back time by the stamps of those that are left", () => {
    const { network, dso, members } = four;
    network.advance(HOUR);
    // The stamps of two SVs back the time; with both gone it takes two others.
    leaveSv(dso, members[0]?.party as never);
    const before = network.now;
    network.clock = addDuration(network.clock, HOUR);
    network.tick(0);
    expect(network.now).toBeLessThan(addDuration(before, HOUR));
    network.tick(1);
    expect(network.now).toBe(addDuration(network.clock, network.network.clockOffset));
  });
});

describe("DsoRules that a transaction created", () => {
  const { network } = found(4);
  const { payload } = network.only(DsoRules);
  const setAfter = (...created: readonly (typeof payload)[]) => {
    const nodes = created.map((value) => ({ contract: { templateId: DsoRules.id }, value }));
    const changes = svSetEffects({
      ...{ view: network.state, network: network.network, now: network.now },
      effects: { archived: [], created: nodes as never },
    });
    return changes.length === 0
      ? null
      : changes.flatMap((each) => (each.kind === "sv-set" ? each.set.svs : []));
  };
  const naming = (count: number) => ({ ...payload, svs: payload.svs.slice(0, count) });

  test("set the SVs, the last one of several", () => {
    expect(setAfter(naming(3))).toHaveLength(3);
    expect(setAfter(naming(3), naming(2))).toHaveLength(2);
    expect(setAfter(payload)).toBeNull();
  });

  test("change nothing if they are another DSO's, or name no registered member at all", () => {
    expect(setAfter({ ...naming(3), dso: network.svs[0]?.party as never })).toBeNull();
    const unknown = payload.svs.map(
      ([sv, info]) => [sv, { ...info, participantId: "PAR::x::1220" }] as const,
    );
    expect(setAfter({ ...payload, svs: unknown as never })).toBeNull();
  });
});

describe("the attestations of a changed set", () => {
  let network: SimulatedNetwork;
  let fifth: SimulatedMember;
  let members: readonly SimulatedMember[];
  const set = () => network.state.findSvSet(1n);

  beforeEach(() => {
    const four = found(4);
    ({ network, members } = four);
    fifth = network.registerMember("sv5");
    joinSv(four.dso, fifth);
  });

  const change = (): SvSetChange => set() as SvSetChange;
  const fault = (given = change()) =>
    findSvSetFault(given, {
      ...{ network: network.network.id, before: idsOf(members), hash: sha256, verify: verifyEd25519 },
    });

  test("come from a quorum of the SVs before, each once, and are kept up to it", () => {
    const [one, two, three, last] = members as SimulatedMember[];
    for (const member of [one, one, two]) expect(resultOf(attest(network, member as never))).toBe("accepted");
    expect(isAttested(set() as never)).toBe(false);
    expect(fault()).toBe("set 1 of its SVs is attested by 2 of the 4 SVs before, and 3 are needed");
    attest(network, three as never);
    expect(isAttested(set() as never)).toBe(true);
    expect(fault()).toBeNull();
    expect(resultOf(attest(network, last as never))).toBe("accepted");
    expect(set()?.attestations).toHaveLength(3);
  });

  test.each<[string, () => [SimulatedMember, string, SimulatedMember], string]>([
    [
      "an SV that joined",
      () => [fifth, svSetMessage(network.network.id, change()), fifth],
      "PERMISSION_DENIED",
    ],
    ["another set", () => [members[0] as never, "another", members[0] as never], "UNAUTHENTICATED"],
    [
      "a foreign key",
      () => [members[0] as never, svSetMessage(network.network.id, change()), members[1] as never],
      "UNAUTHENTICATED",
    ],
  ])("do not take %s", (_, given, code) => {
    const [member, message, signer] = given();
    expect(resultOf(attest(network, member, message, signer.namespaceKey))).toBe(code);
    expect(set()?.attestations).toEqual([]);
  });

  test("need a set", () => {
    const other = found(4).network;
    const outcome = attest(other, other.svs[0] as SimulatedMember, "");
    expect(causeOf(outcome)).toBe("The SVs have changed 0 times: there is no set 0 to attest");
  });

  test("are checked without the ledger: neither repeated, nor of strangers, nor for another set or serial", () => {
    const signed = (
      given: Omit<SvSetChange, "attestations">,
      by: readonly SimulatedMember[],
    ): SvSetChange => {
      const message = svSetMessage(network.network.id, given);
      const attestations = by.map(({ namespaceKey: { publicKey, sign } }) => ({
        publicKey,
        signature: sign(message),
      }));
      return { ...given, attestations };
    };
    const [one, two, three] = members as [SimulatedMember, SimulatedMember, SimulatedMember];
    const { serial, svs } = change();
    expect(fault(signed({ serial, svs }, [one, two, three]))).toBeNull();
    expect(fault(signed({ serial, svs }, [one, two, two]))).toContain("attested by 2");
    expect(fault(signed({ serial, svs }, [one, two, fifth]))).toContain("attested by 2");
    expect(fault({ ...signed({ serial, svs }, [one, two, three]), serial: 2n })).toContain("attested by 0");
    expect(fault({ ...signed({ serial, svs }, [one, two, three]), svs: [fifth.id] })).toContain(
      "attested by 0",
    );
    expect(fault(signed({ serial, svs: [] }, [one, two, three]))).toContain("no set of SVs");
    const twice = [...svs, svs[0] as string];
    expect(fault(signed({ serial, svs: twice }, [one, two, three]))).toContain("no set of SVs");
    const elsewhere = {
      network: "f".repeat(64),
      before: idsOf(members),
      hash: sha256,
      verify: verifyEd25519,
    };
    expect(findSvSetFault(signed({ serial, svs }, [one, two, three]), elsewhere)).toContain("attested by 0");
  });
});
