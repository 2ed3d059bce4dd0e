import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import { sha256 } from "../../testing/sha256.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { anyCommand, causeOf, resultOf } from "../../testing/transition-fixture.ts";
import type { PartyId } from "../values/party-id.ts";
import type { DelegateKeys, HostParty, RegisterMember } from "./entry-content.ts";
import type { Outcome } from "./outcome.ts";

const carolNamespace = memberKey("carol namespace");
const carolSigning = memberKey("carol signing");
const carolBackup = memberKey("carol backup");
const fingerprint = (key: MemberKey) => `1220${sha256(key.publicKey)}`;
const carolId = `carol::${fingerprint(carolNamespace)}`;

function aliceAndBob() {
  const network = new SimulatedNetwork();
  return { network, alice: network.registerMember("alice"), bob: network.registerMember("bob") };
}

describe("registering a member", () => {
  function register(
    network: SimulatedNetwork,
    change: Partial<RegisterMember> = {},
    keys: readonly MemberKey[] = [carolNamespace, carolSigning],
  ): Outcome {
    const value = {
      ...network.once(carolId),
      nodeIdentifier: "carol",
      namespaceKey: carolNamespace.publicKey,
      signingKeys: [carolSigning.publicKey],
      ...change,
    };
    return network.append({ tag: "RegisterMember", value }, keys);
  }

  test("takes its keys in", () => {
    const network = new SimulatedNetwork();
    expect(resultOf(register(network))).toBe("accepted");
    expect(network.state.findMember(carolId)).toEqual({
      id: carolId,
      namespaceKey: carolNamespace.publicKey,
      namespace: fingerprint(carolNamespace),
      signingKeys: [carolSigning.publicKey],
      keySerial: 1n,
    });
  });

  test("needs a proof of every key", () => {
    const network = new SimulatedNetwork();
    const both = { signingKeys: [carolSigning.publicKey, carolBackup.publicKey] };
    expect(resultOf(register(network, {}, [carolSigning]))).toBe("UNAUTHENTICATED");
    expect(resultOf(register(network, {}, [carolNamespace]))).toBe("UNAUTHENTICATED");
    expect(resultOf(register(network, {}, []))).toBe("UNAUTHENTICATED");
    expect(resultOf(register(network, both, [carolNamespace, carolSigning]))).toBe("UNAUTHENTICATED");
    expect(network.state.findMember(carolId)).toBeUndefined();
    expect(resultOf(register(network, both, [carolNamespace, carolSigning, carolBackup]))).toBe("accepted");
  });

  test.each<[string, Partial<RegisterMember>]>([
    ["an id that is another name's", { member: `dave::${fingerprint(carolNamespace)}` }],
    ["an id that is another key's", { member: `carol::${fingerprint(carolBackup)}` }],
    ["a node identifier that is another's", { nodeIdentifier: "dave" }],
    [
      "a node identifier with a slash",
      { member: `ca/rol::${fingerprint(carolNamespace)}`, nodeIdentifier: "ca/rol" },
    ],
    ["no signing key", { signingKeys: [] }],
    ["a signing key twice", { signingKeys: [carolSigning.publicKey, carolSigning.publicKey] }],
    ["a signing key in capitals", { signingKeys: [carolSigning.publicKey.toUpperCase()] }],
    ["a namespace key that is none", { namespaceKey: "carol" }],
  ])("is refused with %s", (_case, change) => {
    const network = new SimulatedNetwork();
    expect(resultOf(register(network, change))).toBe("INVALID_ARGUMENT");
  });

  test("happens once", () => {
    const network = new SimulatedNetwork();
    register(network);
    const outcome = register(network, { signingKeys: [carolBackup.publicKey] }, [
      carolNamespace,
      carolBackup,
    ]);
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain("registered already");
    expect(network.state.findMember(carolId)?.signingKeys).toEqual([carolSigning.publicKey]);
  });

  test("of an SV's id is refused to everybody else", () => {
    const network = new SimulatedNetwork();
    const [sv] = network.svs;
    expect(resultOf(register(network, { member: sv?.id ?? "", nodeIdentifier: "sv1" }))).toBe(
      "INVALID_ARGUMENT",
    );
  });

  test("a failed registration does not use up a submission id, so nobody can take another member's", () => {
    const { network, alice } = aliceAndBob();
    const submissionId = "alice-1";
    // Carol knows the id that Alice is about to use, and sends it first.
    expect(resultOf(register(network, { member: alice.id, submissionId }))).toBe("INVALID_ARGUMENT");
    const [member, rest] = [alice.id.slice(0, 3), alice.id.slice(3)];
    expect(resultOf(register(network, { member, submissionId: `${rest}/${submissionId}` }))).toBe(
      "INVALID_ARGUMENT",
    );
    const commands = [anyCommand(alice.party)];
    expect(resultOf(network.submit(alice, { actAs: [alice.party], commands, submissionId }))).toBe(
      "accepted",
    );
  });
});

describe("delegating keys", () => {
  const next = memberKey("alice next");

  function delegate(
    network: SimulatedNetwork,
    alice: SimulatedMember,
    change: Partial<DelegateKeys> = {},
    keys: readonly MemberKey[] = [alice.namespaceKey, next],
  ): Outcome {
    const value = { ...network.once(alice.id), serial: 2n, signingKeys: [next.publicKey], ...change };
    return network.append({ tag: "DelegateKeys", value }, keys);
  }

  function submitWith(network: SimulatedNetwork, alice: SimulatedMember, key: MemberKey): Outcome {
    return network.append(
      network.submitContent(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] }),
      [key],
    );
  }

  test("replaces the signing keys: the new one signs, the old one no longer does", () => {
    const { network, alice } = aliceAndBob();
    expect(resultOf(submitWith(network, alice, next))).toBe("UNAUTHENTICATED");
    expect(resultOf(delegate(network, alice))).toBe("accepted");
    expect(resultOf(submitWith(network, alice, next))).toBe("accepted");
    expect(resultOf(submitWith(network, alice, alice.signingKey))).toBe("UNAUTHENTICATED");
    expect(network.state.findMember(alice.id)).toMatchObject({
      keySerial: 2n,
      signingKeys: [next.publicKey],
    });
  });

  test("may keep old keys beside new ones", () => {
    const { network, alice } = aliceAndBob();
    const signingKeys = [alice.signingKey.publicKey, next.publicKey];
    expect(
      resultOf(delegate(network, alice, { signingKeys }, [alice.namespaceKey, alice.signingKey, next])),
    ).toBe("accepted");
    expect(resultOf(submitWith(network, alice, next))).toBe("accepted");
    expect(resultOf(submitWith(network, alice, alice.signingKey))).toBe("accepted");
  });

  test.each<[string, (alice: SimulatedMember, bob: SimulatedMember) => readonly MemberKey[]]>([
    ["the signing key alone", (alice) => [alice.signingKey, next]],
    ["the namespace key without the new key", (alice) => [alice.namespaceKey]],
    ["another member's namespace key", (_alice, bob) => [bob.namespaceKey, next]],
    ["nobody", () => []],
  ])("is refused when signed by %s", (_case, keysOf) => {
    const { network, alice, bob } = aliceAndBob();
    expect(resultOf(delegate(network, alice, {}, keysOf(alice, bob)))).toBe("UNAUTHENTICATED");
    expect(resultOf(submitWith(network, alice, alice.signingKey))).toBe("accepted");
  });

  test.each([0n, 1n, 3n, -1n])("is refused with serial %s where 2 follows", (serial) => {
    const { network, alice } = aliceAndBob();
    const outcome = delegate(network, alice, { serial });
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toBe(`The serial must be 2, not ${serial}`);
  });

  test("cannot be restored: an old delegation has an old serial", () => {
    const { network, alice } = aliceAndBob();
    const third = memberKey("alice third");
    delegate(network, alice);
    delegate(network, alice, { serial: 3n, signingKeys: [third.publicKey] }, [alice.namespaceKey, third]);
    expect(resultOf(delegate(network, alice))).toBe("INVALID_ARGUMENT");
    expect(network.state.findMember(alice.id)?.signingKeys).toEqual([third.publicKey]);
  });

  test.each<[string, readonly string[]]>([
    ["no keys", []],
    ["a key twice", [next.publicKey, next.publicKey]],
    ["what is no key", ["1220"]],
  ])("is refused with %s", (_case, signingKeys) => {
    const { network, alice } = aliceAndBob();
    expect(resultOf(delegate(network, alice, { signingKeys }))).toBe("INVALID_ARGUMENT");
  });

  test("is refused for unknown members", () => {
    const network = new SimulatedNetwork();
    const value = { ...network.once(carolId), serial: 1n, signingKeys: [carolSigning.publicKey] };
    const outcome = network.append({ tag: "DelegateKeys", value }, [carolNamespace, carolSigning]);
    expect(resultOf(outcome)).toBe("UNAUTHENTICATED");
  });
});

describe("hosting a party", () => {
  function host(
    network: SimulatedNetwork,
    owner: SimulatedMember,
    change: Partial<HostParty> = {},
    keys: readonly MemberKey[] = [owner.signingKey],
  ): Outcome {
    const party = `app::${fingerprint(owner.namespaceKey)}` as PartyId;
    const value = { ...network.once(owner.id), party, hosts: [owner.id], serial: 1n, ...change };
    return network.append({ tag: "HostParty", value }, keys);
  }
  const partyOf = (owner: SimulatedMember) => `app::${fingerprint(owner.namespaceKey)}` as PartyId;

  test("lets the member act for it from then on", () => {
    const { network, alice } = aliceAndBob();
    const submit = () =>
      network.submit(alice, { actAs: [partyOf(alice)], commands: [anyCommand(partyOf(alice))] });
    expect(resultOf(submit())).toBe("UNKNOWN_SUBMITTERS");
    expect(resultOf(host(network, alice))).toBe("accepted");
    expect(resultOf(submit())).toBe("accepted");
  });

  test.each<[string, (alice: SimulatedMember, bob: SimulatedMember, network: SimulatedNetwork) => PartyId]>([
    ["of another member's namespace", (_alice, bob) => partyOf(bob)],
    ["of nobody's namespace", () => "app::1220" as PartyId],
    ["that is the DSO", (_alice, _bob, network) => network.dso],
    ["of the DSO's namespace", (_alice, _bob, network) => network.dso.replace("DSO", "treasury") as PartyId],
  ])("is refused for a party %s", (_case, partyFor) => {
    const { network, alice, bob } = aliceAndBob();
    const party = partyFor(alice, bob, network);
    expect(resultOf(host(network, alice, { party }))).toBe("PERMISSION_DENIED");
  });

  test("acting as the DSO is refused to SVs too, also to all of them together", () => {
    const network = new SimulatedNetwork();
    const change = { party: network.dso, serial: 2n };
    const keys = network.svs.flatMap(({ namespaceKey, signingKey }) => [namespaceKey, signingKey]);
    for (const sv of network.svs) expect(resultOf(host(network, sv, change, keys))).toBe("PERMISSION_DENIED");
    expect(network.state.findHosting(network.dso)?.serial).toBe(1n);
  });

  test("by several members needs all their signatures", () => {
    const { network, alice, bob } = aliceAndBob();
    const eve = network.registerMember("eve");
    const hosts = [alice.id, bob.id, eve.id];
    const keys = [alice, bob, eve].map(({ signingKey }) => signingKey);
    expect(resultOf(host(network, alice, { hosts }, keys.slice(0, 2)))).toBe("UNAUTHENTICATED");
    expect(resultOf(host(network, alice, { hosts }, keys.slice(1)))).toBe("UNAUTHENTICATED");
    expect(
      resultOf(host(network, alice, { hosts }, [alice.signingKey, bob.signingKey, eve.namespaceKey])),
    ).toBe("UNAUTHENTICATED");
    expect(network.state.findHosting(partyOf(alice))).toBeUndefined();
    expect(resultOf(host(network, alice, { hosts }, keys))).toBe("accepted");
    for (const member of [alice, bob, eve]) {
      const commands = [anyCommand(partyOf(alice))];
      expect(resultOf(network.submit(member, { actAs: [partyOf(alice)], commands }))).toBe("accepted");
    }
  });

  test("may be handed over: the old host no longer acts for the party, the owner still decides", () => {
    const { network, alice, bob } = aliceAndBob();
    host(network, alice);
    const handOver = { hosts: [bob.id], serial: 2n };
    expect(resultOf(host(network, alice, handOver, [alice.signingKey, bob.signingKey]))).toBe("accepted");
    const as = { actAs: [partyOf(alice)], commands: [anyCommand(partyOf(alice))] };
    expect(resultOf(network.submit(alice, as))).toBe("NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT");
    expect(resultOf(network.submit(bob, as))).toBe("accepted");
    expect(resultOf(host(network, bob, { party: partyOf(alice), serial: 3n }))).toBe("PERMISSION_DENIED");
    expect(resultOf(host(network, alice, { serial: 3n }))).toBe("accepted");
  });

  test.each([0n, 2n, -1n])("is refused with serial %s where 1 follows", (serial) => {
    const { network, alice } = aliceAndBob();
    expect(resultOf(host(network, alice, { serial }))).toBe("INVALID_ARGUMENT");
  });

  test("is refused with a serial that was used", () => {
    const { network, alice } = aliceAndBob();
    host(network, alice);
    const again = host(network, alice);
    expect(resultOf(again)).toBe("INVALID_ARGUMENT");
    expect(causeOf(again)).toBe("The serial must be 2, not 1");
  });

  test("is refused with more than 64 members", () => {
    const { network, alice } = aliceAndBob();
    const outcomeOf = (count: number) =>
      causeOf(host(network, alice, { hosts: Array.from({ length: count }, (_, i) => `member-${i}`) }));
    expect(outcomeOf(64)).toBe('Host "member-0" is not a member');
    expect(outcomeOf(65)).toBe("A party has 1 to 64 distinct hosts, not 65");
  });

  test.each<[string, (alice: SimulatedMember) => readonly string[]]>([
    ["no host", () => []],
    ["a host twice", (alice) => [alice.id, alice.id]],
    ["a host nobody knows", () => [carolId]],
  ])("is refused with %s", (_case, hostsOf) => {
    const { network, alice } = aliceAndBob();
    expect(resultOf(host(network, alice, { hosts: hostsOf(alice) }))).toBe("INVALID_ARGUMENT");
  });
});
