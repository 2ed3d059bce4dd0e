import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continuationOf, signContinuation, signingKeys, unsigned } from "../../testing/continued-log.ts";
import { DsoActor } from "../../testing/dso-actor.ts";
import { sha256 } from "../../testing/sha256.ts";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import {
  anyCommand,
  causeOf,
  nextEntry,
  resultOf,
  sign,
  signText,
  TestReplica,
} from "../../testing/transition-fixture.ts";
import { WalletActor } from "../../testing/wallet-actor.ts";
import { SubscriptionRequest } from "../contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { decodeText } from "../daml/daml-type.ts";
import { decimal } from "../values/decimal.ts";
import { DAY } from "../values/duration.ts";
import { type ContinueNetwork, type ImportState, OpenedRound } from "./continuation-content.ts";
import { chainDigest } from "./digest.ts";
import { draftParts } from "./draft-continuation.ts";
import { EntryContent } from "./entry-content.ts";
import { MAX_CONTENT_BYTES, MAX_PART_BYTES } from "./limits.ts";
import { hashLogEntry } from "./log-entry.ts";
import { ReplicaHalt } from "./replica-halt.ts";

/** A network with a name, coin, a key that was changed and a clock that was moved. */
function livelyNetwork() {
  const network = new SimulatedNetwork();
  const validator = network.registerMember("validator");
  const alice = new WalletActor(network, validator, "alice");
  alice.tap(decimal("1000.0"));
  alice.requestEntry({ name: "alice.unverified.cns" });
  alice.accept(network.only(SubscriptionRequest).contractId);
  new DsoActor(network).settle();
  network.rotateKey(validator, "another key");
  network.moveClock(DAY);
  return { network, validator, alice };
}

const world = livelyNetwork();
const { network, validator } = world;

/** A replica that has applied the continuation, and awaits parts with these contents. */
function awaiting(parts: readonly string[], from = network) {
  const { entry } = continuationOf(from);
  const replica = new TestReplica();
  const continued: ContinueNetwork = { ...entry, parts: parts.map(sha256) };
  replica.append(signContinuation(continued, signingKeys(from.svs)), from.clock);
  return replica;
}

function carriedOver(from = network): TestReplica {
  const { parts } = continuationOf(from);
  const replica = awaiting(parts, from);
  for (const part of parts) expect(resultOf(replica.append(unsigned(part), from.clock))).toBe("accepted");
  return replica;
}

function partOf(change: Partial<ImportState>): string {
  const empty = {
    members: [],
    hostings: [],
    traffic: [],
    commands: [],
    contracts: [],
    rounds: [],
    rewards: [],
  };
  return EntryContent.encode({ tag: "ImportState", value: { ...empty, ...change } });
}

describe("the parts of an earlier state", () => {
  test("give the same contracts, members, hosts, accounts and accepted commands", () => {
    const { state } = carriedOver();
    expect([...state.listCarried()]).toEqual([...network.state.listCarried()]);
    expect(state.network?.awaitedParts).toEqual([]);
    for (const { id } of [...network.svs, validator])
      expect(state.findMember(id)).toEqual(network.state.findMember(id));
  });

  test("come as creations of the contracts, at the time they had", () => {
    const { parts } = continuationOf(network);
    const replica = awaiting(parts);
    const created = parts.flatMap((part) => replica.append(unsigned(part)).created);
    expect(created.map(({ contract }) => contract)).toEqual([...network.state.contracts.values()]);
    for (const { signatories } of created) expect(signatories.length).toBeGreaterThan(0);
  });

  test("let members go on where they were, and nothing that was sent to the log before", () => {
    const replica = carriedOver();
    const once = { ...network.once(validator.id), network: replica.state.network?.id ?? "" };
    const submit = network.submitContent(validator, {
      actAs: [validator.party],
      commands: [anyCommand(validator.party)],
      commandId: "after",
    });
    if (submit.tag !== "Submit") throw new Error("no submission");
    const old = sign(submit, [validator.signingKey]);
    expect(resultOf(replica.append(old, network.clock))).toBe("INVALID_ARGUMENT");
    const fresh = sign({ tag: "Submit", value: { ...submit.value, ...once } }, [validator.signingKey]);
    expect(resultOf(replica.append(fresh, network.clock))).toBe("accepted");
  });

  test("keep a command that was accepted before from being accepted again", () => {
    const { network: before, validator: member } = livelyNetwork();
    const commands = [anyCommand(member.party)];
    const submission = { actAs: [member.party], commands, commandId: "once" };
    expect(resultOf(before.submit(member, submission))).toBe("accepted");
    const replica = carriedOver(before);
    const again = before.submitContent(member, submission);
    if (again.tag !== "Submit") throw new Error("no submission");
    const value = { ...again.value, network: replica.state.network?.id ?? "" };
    const outcome = replica.append(sign({ tag: "Submit", value }, [member.signingKey]), before.clock);
    expect(resultOf(outcome)).toBe("DUPLICATE_COMMAND");
  });

  test("are filled up to about a million characters, and none has more than ten thousand items", () => {
    const reward = { kind: "reward", reward: { round: 1n, kind: "app", units: "1" } } as const;
    const parts = [...draftParts(Array.from({ length: 25_000 }, () => reward))];
    const counts = parts.map((part) => readPart(part).rewards.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(25_000);
    for (const count of counts) expect(count).toBeLessThanOrEqual(10_000);
    const [contract] = network.state.contracts.values();
    if (contract === undefined) throw new Error("no contract");
    const large = { kind: "contract", contract: { ...contract, payload: "x".repeat(400_000) } } as const;
    expect(
      [...draftParts([large, large, large, large])].map((part) => readPart(part).contracts.length),
    ).toEqual([3, 1]);
    expect([...draftParts([])]).toEqual([]);
  });

  test("bring the sums of scans to those who keep them", () => {
    const round = { ...anyRound(), number: 7n };
    const reward = { round: 7n, kind: "app", units: "9".repeat(60) };
    const part = partOf({ rounds: [round], rewards: [reward] });
    const replica = awaiting([part]);
    const outcome = replica.append(unsigned(part));
    expect(resultOf(outcome)).toBe("accepted");
    expect([outcome.imported?.rounds, outcome.imported?.rewards]).toEqual([[round], [reward]]);
    expect(replica.append(unsigned(part)).imported).toBeNull();
  });
});

describe("while parts are awaited", () => {
  const { parts } = continuationOf(network);

  test("entries of members are refused and change nothing", () => {
    const replica = awaiting(parts);
    const once = { ...network.once(network.svs[0]?.id ?? ""), network: replica.state.network?.id ?? "" };
    const outcome = replica.append(sign({ tag: "Tick", value: once }, signingKeys(network.svs)));
    expect([resultOf(outcome), outcome.changes]).toEqual(["SEQUENCER_BACKPRESSURE", []]);
    expect(causeOf(outcome)).toContain(`${parts.length} parts are still to come`);
  });

  test("parts count in their order, once, and whoever signs them", () => {
    const [one, two] = [
      partOf({ rewards: [] }),
      partOf({ rewards: [{ round: 1n, kind: "app", units: "1" }] }),
    ];
    const replica = awaiting([one, two]);
    expect(resultOf(replica.append(unsigned(two)))).toBe("INVALID_ARGUMENT");
    expect(resultOf(replica.append(signText(one, signingKeys(network.svs))))).toBe("accepted");
    expect(resultOf(replica.append(unsigned(one)))).toBe("INVALID_ARGUMENT");
    expect(replica.state.network?.awaitedParts).toEqual([sha256(two)]);
    expect(resultOf(replica.append(unsigned(two)))).toBe("accepted");
    expect(resultOf(replica.append(unsigned(two)))).toBe("INVALID_ARGUMENT");
  });

  test("a part with any byte changed does not count", () => {
    const [part = ""] = parts;
    const replica = awaiting(parts);
    fc.assert(
      fc.property(fc.nat(part.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(part[at] !== character && !character.includes("\n"));
        const changed = part.slice(0, at) + character + part.slice(at + 1);
        const outcome = replica.decide(nextEntry(replica.state, unsigned(changed)));
        expect([resultOf(outcome), outcome.changes, outcome.created]).toEqual(["INVALID_ARGUMENT", [], []]);
      }),
      { numRuns: 30 },
    );
  });

  test("the awaited part alone may be larger than other entries", () => {
    const rewards = Array.from({ length: 50_000 }, () => ({ round: 1n, kind: "x", units: "1".repeat(100) }));
    const large = partOf({ rewards });
    expect(large.length).toBeGreaterThan(MAX_CONTENT_BYTES);
    expect(resultOf(awaiting([large]).append(unsigned(large)))).toBe("accepted");
    expect(causeOf(awaiting([partOf({})]).append(unsigned(large)))).toContain(`${MAX_CONTENT_BYTES} bytes`);
    const huge = partOf({ rewards: [{ round: 1n, kind: "x".repeat(MAX_PART_BYTES), units: "1" }] });
    expect(causeOf(awaiting([huge]).append(unsigned(huge)))).toContain(`${MAX_PART_BYTES} bytes`);
  });

  const contracts = [...network.state.contracts.values()];
  const [contract] = contracts;
  if (contract === undefined) throw new Error("no contract");
  const member = network.state.findMember(validator.id);
  if (member === undefined) throw new Error("no member");
  const account = { member: member.id, free: 0n, refilledAt: network.now, consumed: "0", isNewcomer: null };
  const impossible: readonly [string, Partial<ImportState>, string][] = [
    [
      "another payload",
      { contracts: [{ ...contract, payload: `${contract.payload} ` }] },
      "not what its id says",
    ],
    ["another time", { contracts: [{ ...contract, createdAt: network.now }] }, "not what its id says"],
    ["another template", { contracts: [{ ...contract, templateId: "x:Y:Z" }] }, "not what its id says"],
    ["a contract twice", { contracts: [contract, contract] }, "comes twice"],
    ["a member of another key", { members: [{ ...member, namespaceKey: "a".repeat(64) }] }, "fingerprint"],
    ["a member without keys", { members: [{ ...member, signingKeys: [] }] }, "no valid keys"],
    ["an account that is no number", { traffic: [{ ...account, purchased: "-1" }] }, "is no sum"],
    ["rewards that are no number", { rewards: [{ round: 1n, kind: "app", units: "1.0" }] }, "is no sum"],
  ];
  test.each(impossible)("an awaited part with %s stops the replica", (_case, change, message) => {
    const part = partOf(change);
    const replica = awaiting([part]);
    const { head } = replica.state;
    expect(() => replica.append(unsigned(part))).toThrow(ReplicaHalt);
    expect(() => replica.append(unsigned(part))).toThrow(message);
    expect(replica.state.head).toBe(head);
  });
});

test("in a founded network a part has the digest of an entry that cannot be read", () => {
  const founded = new SimulatedNetwork();
  const { head } = founded.state;
  for (const content of [partOf({}), "nonsense"]) {
    const entry = nextEntry(founded.state, unsigned(content), founded.clock);
    const outcome = new TestReplica({}, founded.state).decide(entry);
    expect([resultOf(outcome), outcome.changes, outcome.imported]).toEqual(["INVALID_ARGUMENT", [], null]);
    const { recordTime } = outcome.head;
    const expected = sha256(
      `${head.digest}\n${hashLogEntry(sha256, entry)}\n${recordTime}\nrejected INVALID_ARGUMENT\n`,
    );
    expect(outcome.head.digest).toBe(expected);
  }
});

test("a part with newcomers is unreadable before protocol version 4, and changes nothing", () => {
  const account = { member: "m", free: 1n, refilledAt: network.now, purchased: "0", consumed: "0" };
  const part = partOf({ traffic: [{ ...account, isNewcomer: true }] });
  const replica = awaiting([part], new SimulatedNetwork({ terms: { protocolVersion: 3n } }));
  const before = replica.state.network;
  expect(resultOf(replica.append(unsigned(part)))).toBe("INVALID_ARGUMENT");
  expect(replica.state.network).toBe(before);
  expect(resultOf(awaiting([part]).append(unsigned(part)))).toBe("accepted");
  expect(resultOf(awaiting([partOf({})]).append(unsigned(partOf({}))))).toBe("accepted");
});

test("the digest of a part covers what is still awaited", () => {
  const { verdict, head } = awaiting([partOf({})]).append(unsigned(partOf({})));
  if (verdict.kind !== "accepted") throw new Error("not accepted");
  const changed = verdict.changes.map((change) =>
    change.kind === "network" ? { ...change, network: { ...change.network, awaitedParts: ["a"] } } : change,
  );
  const view = awaiting([partOf({})]).state;
  const given = { view, entryHash: head.entryHash, recordTime: head.recordTime, stampedBy: null };
  expect(chainDigest(sha256, { ...given, verdict })).toBe(head.digest);
  expect(chainDigest(sha256, { ...given, verdict: { ...verdict, changes: changed } })).not.toBe(head.digest);
});

function readPart(part: string): ImportState {
  const content = decodeText(EntryContent, part);
  if (content.tag !== "ImportState") throw new Error("no part");
  return content.value;
}

function anyRound(): OpenedRound {
  const fee = { fee: decimal("0.0") };
  const transferConfig = {
    createFee: fee,
    holdingFee: { rate: decimal("0.0") },
    transferFee: { initialRate: decimal("0.0"), steps: [] },
    lockHolderFee: fee,
    extraFeaturedAppRewardAmount: decimal("1.0"),
    maxNumInputs: 1n,
    maxNumOutputs: 1n,
    maxNumLockHolders: 1n,
  };
  const round = { number: 1n, opensAt: network.now, amuletPrice: decimal("0.005"), transferConfig };
  return decodeText(OpenedRound, OpenedRound.encode(round));
}
