import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import { causeOf, foundingOf, resultOf, START, sign, TestReplica } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { AmuletRules } from "../contracts/splice-amulet/declarations/amulet-rules.ts";
import { OpenMiningRound } from "../contracts/splice-amulet/declarations/round.ts";
import { DsoRules } from "../contracts/splice-dso-governance/declarations/dso-rules.ts";
import { AmuletPriceVote } from "../contracts/splice-dso-governance/declarations/sv-state.ts";
import { decimal } from "../values/decimal.ts";
import { MINUTE, SECOND } from "../values/duration.ts";
import { partyNamespace } from "../values/party-id.ts";
import { addDuration } from "../values/time.ts";
import type { FoundingSv, FoundNetwork } from "./entry-content.ts";
import { ReplicaHalt } from "./replica-halt.ts";

const model = new SimulatedNetwork();
const founding = foundingOf(model);
const svs = founding.svs;
const keysOf = ({ namespaceKey, signingKey }: { namespaceKey: MemberKey; signingKey: MemberKey }) => [
  namespaceKey,
  signingKey,
];
const allKeys = model.svs.flatMap(keysOf);

function found(value: FoundNetwork, keys: readonly MemberKey[] = allKeys, replica = new TestReplica()) {
  return replica.append(sign({ tag: "FoundNetwork", value }, keys));
}

/** The founding with its first SV changed. */
function withFirst(change: Partial<FoundingSv>): FoundNetwork {
  const [first, ...others] = svs;
  if (first === undefined) throw new Error("no SV");
  return { ...founding, svs: [{ ...first, ...change }, ...others] };
}

describe("the founding", () => {
  test.each([1, 4, 7])(
    "with %i SVs creates every contract that a network begins with, and no other",
    (count) => {
      const network = new SimulatedNetwork({ svs: count });
      const created = new Map<string, number>();
      for (const { templateId } of network.state.contracts.values()) {
        const entity = templateId.slice(templateId.lastIndexOf(":") + 1);
        created.set(entity, (created.get(entity) ?? 0) + 1);
      }
      expect(Object.fromEntries(created)).toEqual({
        AmuletRules: 1,
        ExternalPartyAmuletRules: 1,
        ExternalPartyConfigState: 2,
        AnsRules: 1,
        DsoRules: 1,
        NameCare: 1,
        OpenMiningRound: 3,
        SvRewardState: count,
        AmuletPriceVote: count,
        SvStatusReport: count,
        SvNodeState: count,
      });
    },
  );

  test.each([1, 4, 7])("makes all %i SVs members that host themselves and the DSO", (count) => {
    const { svs: members, network, state, dso } = new SimulatedNetwork({ svs: count });
    expect(network.svs).toEqual(members.map(({ id }) => id));
    expect(state.findHosting(dso)?.hosts).toEqual(network.svs);
    for (const { id, party, namespaceKey, signingKey } of members) {
      expect(state.findMember(id)).toEqual({
        id,
        namespaceKey: namespaceKey.publicKey,
        namespace: `1220${sha256(namespaceKey.publicKey)}`,
        signingKeys: [signingKey.publicKey],
        keySerial: 1n,
      });
      expect(state.findHosting(party)).toEqual({ party, hosts: [id], serial: 1n });
    }
  });

  test("lists every SV in DsoRules under its party, name and participant", () => {
    const network = new SimulatedNetwork();
    const { dso, svs: listed } = network.only(DsoRules).payload;
    expect(dso).toBe(network.dso);
    const byParty = new Map(listed);
    expect(byParty.size).toBe(4);
    network.svs.forEach(({ party, id }, i) => {
      expect(byParty.get(party)).toEqual({
        name: `sv-${i + 1}`,
        joinedAsOfRound: { number: 0n },
        svRewardWeight: 10_000n,
        participantId: `PAR::${id}`,
      });
    });
  });

  test("is the network's description", () => {
    const value = { ...founding, acronym: "CNS", migrationId: 3n, movableClock: false };
    const replica = new TestReplica();
    expect(resultOf(found(value, allKeys, replica))).toBe("accepted");
    expect(replica.state.network).toMatchObject({
      acronym: "cns",
      migrationId: 3n,
      movableClock: false,
      clockOffset: 0n,
      protocolVersion: 5n,
      synchronizerId: `global-domain::${partyNamespace(model.dso)}`,
      burstAmount: 400_000n,
      burstWindow: 20n * MINUTE,
    });
  });

  test("starts rounds and prices as it says", () => {
    const network = new SimulatedNetwork({
      terms: { amuletPrice: decimal("0.3") },
      founding: { initialRound: 40n, round0Duration: relTime(60n * MINUTE), isDevNet: false },
    });
    const rounds = network.active(OpenMiningRound).map(({ payload }) => payload);
    expect(rounds.map(({ round }) => round.number)).toEqual([40n, 41n, 42n]);
    expect(rounds[0]?.targetClosesAt).toBe(addDuration(START, 60n * MINUTE));
    expect(network.only(AmuletRules).payload.isDevNet).toBe(false);
    // The first SV votes for the price it founded the network with; the others have not voted yet.
    const votes = network.active(AmuletPriceVote).map(({ payload }) => payload.amuletPrice);
    expect(votes).toEqual([decimal("0.3"), null, null, null]);
  });
});

describe("the DSO", () => {
  test("has the hash of the founding SVs' keys as its namespace, in whatever order they stand", () => {
    const sorted = svs.map(({ namespaceKey }) => namespaceKey).sort();
    const namespace = `1220${sha256(`dso\n${sorted.join("\n")}`)}`;
    expect(model.dso).toBe(`DSO::${namespace}`);
    const replica = new TestReplica();
    found({ ...founding, svs: svs.toReversed() }, allKeys, replica);
    expect(replica.state.network?.dso).toBe(`DSO::${namespace}`);
  });

  test("is another one with other SVs", () => {
    expect(new SimulatedNetwork({ svs: 3 }).dso).not.toBe(model.dso);
  });
});

describe("a network's id", () => {
  test("differs from that of every other founding, also of the same SVs at another time", () => {
    const idOf = (value: FoundNetwork, stampedAt = START) => {
      const replica = new TestReplica();
      replica.append(sign({ tag: "FoundNetwork", value }, allKeys), stampedAt);
      return replica.state.network?.id;
    };
    const ids = [
      idOf(founding),
      idOf({ ...founding, migrationId: 1n }),
      idOf(founding, addDuration(START, SECOND)),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(idOf(founding)).toBe(ids[0]);
  });
});

describe("a founding is refused", () => {
  test.each(
    model.svs.flatMap((_, i) => [
      [`sv${i + 1}'s namespace key`, 2 * i] as const,
      [`sv${i + 1}'s signing key`, 2 * i + 1] as const,
    ]),
  )("without the signature of %s", (_key, missing) => {
    const outcome = found(founding, allKeys.toSpliced(missing, 1));
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
    expect(causeOf(outcome)).toContain(`not signed by all keys of sv${Math.floor(missing / 2) + 1}::`);
  });

  const stranger = memberKey("stranger");
  const otherKey = svs[1]?.namespaceKey ?? "";
  const refused: readonly [string, FoundNetwork][] = [
    ["no SV at all", { ...founding, svs: [] }],
    ["an SV named twice", withFirst({ name: "sv-2" })],
    ["two SVs whose names differ in case only", withFirst({ name: "SV-2" })],
    ["a nameless SV", withFirst({ name: "" })],
    ["a name outside ASCII, whose lower case depends on the machine", withFirst({ name: "İstanbul" })],
    ["a namespace key used twice", withFirst({ namespaceKey: otherKey })],
    ["a signing key listed twice", withFirst({ signingKeys: [stranger.publicKey, stranger.publicKey] })],
    ["no signing key", withFirst({ signingKeys: [] })],
    [
      "more than 16 signing keys",
      withFirst({ signingKeys: Array.from({ length: 17 }, (_, i) => `${i}`.padStart(64, "0")) }),
    ],
    ["a namespace key that is none", withFirst({ namespaceKey: "1220" })],
    ["a key in capitals", withFirst({ signingKeys: [stranger.publicKey.toUpperCase()] })],
    ["an empty party hint", withFirst({ partyHint: "" })],
    ["a party hint with a separator", withFirst({ partyHint: "sv::1" })],
    ["a party hint that is too long", withFirst({ partyHint: "s".repeat(186) })],
    ["a node identifier with a slash", withFirst({ nodeIdentifier: "sv/1" })],
    ["a bad DSO hint", { ...founding, dsoHint: "D/SO" }],
    ["a bad synchronizer name", { ...founding, synchronizerName: "global::domain" }],
    ["an empty acronym", { ...founding, acronym: "" }],
    ["an acronym outside ASCII", { ...founding, acronym: "İns" }],
  ];
  test.each(refused)("with %s", (_case, value) => {
    const replica = new TestReplica();
    const outcome = found(value, [...allKeys, stranger], replica);
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(replica.state.network).toBeNull();
    expect(replica.state.contracts.size).toBe(0);
  });

  const own = `global-domain::${partyNamespace(model.dso)}`;
  const foreign = "other-domain::1220ab";
  const { amuletConfig, dsoRulesConfig } = founding;
  const amuletWith = (change: Partial<FoundNetwork["amuletConfig"]["decentralizedSynchronizer"]>) => {
    const decentralizedSynchronizer = { ...amuletConfig.decentralizedSynchronizer, ...change };
    return { amuletConfig: { ...amuletConfig, decentralizedSynchronizer } };
  };
  const requiring = (...ids: readonly string[]) => {
    return amuletWith({ requiredSynchronizers: { map: ids.map((id) => [id, {}] as const) } });
  };
  const dsoSynchronizer = { ...dsoRulesConfig.decentralizedSynchronizer, activeSynchronizerId: foreign };

  test.each<[string, Partial<FoundNetwork>, string]>([
    [
      "an acronym that leaves no room for a name",
      { acronym: "c".repeat(48) },
      `acronym "${"c".repeat(48)}" has 48 characters: at most 47 leave room for a name, which has at most 60 in ` +
        "all. Choose a shorter acronym",
    ],
    [
      "an SV whose well-known name is too long",
      withFirst({ name: `S${"v".repeat(53)}` }),
      `well-known name "s${"v".repeat(53)}.sv.cns" has 61 characters: at most 60 are allowed. ` +
        "Choose a shorter SV name or acronym",
    ],
    [
      "a negative migration id",
      { migrationId: -1n },
      "migrationId -1 is negative: migrations count up from 0. Give 0 for a first network",
    ],
    [
      "another synchronizer active",
      amuletWith({ activeSynchronizer: foreign }),
      `amuletConfig.decentralizedSynchronizer.activeSynchronizer is "${foreign}": this network has one ` +
        `synchronizer, ${own}. Name that one`,
    ],
    [
      "another synchronizer required",
      requiring(foreign),
      `requiredSynchronizers is "${foreign}": this network`,
    ],
    ["one more synchronizer required", requiring(own, foreign), "requiredSynchronizers is"],
    ["no synchronizer required", requiring(), 'requiredSynchronizers is "": this network'],
    [
      "another synchronizer active by the DSO's rules",
      { dsoRulesConfig: { ...dsoRulesConfig, decentralizedSynchronizer: dsoSynchronizer } },
      `dsoRulesConfig.decentralizedSynchronizer.activeSynchronizerId is "${foreign}": this network has one`,
    ],
  ])("with %s, and says what was given and what is allowed", (_case, change, problem) => {
    const replica = new TestReplica();
    const outcome = found({ ...founding, ...change }, allKeys, replica);
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain("The network cannot be founded: ");
    expect(causeOf(outcome)).toContain(problem);
    expect(replica.state.network).toBeNull();
  });

  test.each<[string, FoundNetwork]>([
    ["the longest acronym", { ...founding, acronym: "c".repeat(47) }],
    ["the longest SV name", withFirst({ name: `S${"v".repeat(52)}` })],
    ["migration 0", { ...founding, migrationId: 0n }],
  ])("a founding with %s is accepted", (_case, value) => {
    expect(resultOf(found(value))).toBe("accepted");
  });

  test.each<[string, Partial<FoundNetwork>, string]>([
    ["whose first round is shorter than a tick", { round0Duration: relTime(MINUTE) }, "DAML_FAILURE"],
    [
      "whose names cost nothing",
      { ansRulesConfig: { ...founding.ansRulesConfig, entryFee: decimal("0.0") } },
      "DAML_FAILURE",
    ],
  ])("by the contracts: one %s", (_case, change, code) => {
    const replica = new TestReplica();
    expect(resultOf(found({ ...founding, ...change }, allKeys, replica))).toBe(code);
    expect(replica.state.network).toBeNull();
  });

  test("the second time, and the first one stays", () => {
    const replica = new TestReplica();
    expect(resultOf(found(founding, allKeys, replica))).toBe("accepted");
    const before = replica.state.network;
    expect(resultOf(found(founding, allKeys, replica))).toBe("INVALID_ARGUMENT");
    expect(resultOf(found({ ...founding, acronym: "ans" }, allKeys, replica))).toBe("INVALID_ARGUMENT");
    expect(replica.state.network).toBe(before);
  });

  test("a corrected founding is accepted as the next entry", () => {
    const replica = new TestReplica();
    found({ ...founding, acronym: "" }, allKeys, replica);
    expect(resultOf(found(founding, allKeys, replica))).toBe("accepted");
  });
});

describe("a founding with a protocol version that this program does not know", () => {
  const newer = { ...founding, protocolVersion: 6n };

  test("stops the replica", () => {
    expect(() => found(newer)).toThrow(ReplicaHalt);
    expect(() => found(newer)).toThrow("protocol version 6");
  });

  test("is accepted by a program that does", () => {
    const replica = new TestReplica({ supportedVersions: [1n, 6n] });
    expect(resultOf(found(newer, allKeys, replica))).toBe("accepted");
    expect(replica.state.network?.protocolVersion).toBe(6n);
  });

  test("stops no replica if it is not signed", () => {
    expect(resultOf(found(newer, []))).toBe("UNAUTHENTICATED");
  });
});

test("before the founding every other entry is refused and changes nothing but the head", () => {
  const replica = new TestReplica();
  const [sv] = model.svs;
  const outcome = replica.append(
    sign({ tag: "Tick", value: model.once(sv?.id ?? "") }, sv === undefined ? [] : [sv.signingKey]),
  );
  expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
  expect(outcome.changes).toEqual([]);
  expect(replica.state.head.sequence).toBe(1);
});
