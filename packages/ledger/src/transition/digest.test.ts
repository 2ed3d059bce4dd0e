import { describe, expect, test } from "vitest";
import { MemoryState } from "../../testing/memory-state.ts";
import { sha256 } from "../../testing/sha256.ts";
import { replay, SimulatedNetwork } from "../../testing/simulated-network.ts";
import { anyCommand, START } from "../../testing/transition-fixture.ts";
import type { Transaction } from "../engine/transaction.ts";
import { ledgerError } from "../errors/ledger-error.ts";
import type { ContractId } from "../values/contract-id.ts";
import { decimal } from "../values/decimal.ts";
import { DAY } from "../values/duration.ts";
import type { PartyId } from "../values/party-id.ts";
import { addDuration } from "../values/time.ts";
import { chainDigest, FIRST_DIGEST } from "./digest.ts";
import type { Change } from "./ledger-view.ts";
import { accepted, effectsOf, rejected, type Verdict } from "./outcome.ts";

/** A few entries of every outcome. */
function someLog(price?: string): SimulatedNetwork {
  const network = new SimulatedNetwork(price === undefined ? {} : { terms: { amuletPrice: decimal(price) } });
  const alice = network.registerMember("alice");
  network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)], submissionId: "s" });
  network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)], submissionId: "s" });
  network.submit(alice, { actAs: [alice.party], commands: [] });
  network.moveClock(DAY);
  network.applyEntry(network.sequence({ content: "nonsense", signatures: [] }));
  return network;
}

describe("the digest", () => {
  test("starts from zeros", () => {
    expect(new MemoryState().head.digest).toBe(FIRST_DIGEST);
    expect(FIRST_DIGEST).toBe("0".repeat(64));
  });

  test("is the same on every replica that applied the same log", () => {
    const network = someLog();
    expect(replay(network.log).head).toEqual(network.state.head);
  });

  test("is another one after every entry, also one that does nothing", () => {
    const network = someLog();
    const digests = network.log.map((_, i) => replay(network.log.slice(0, i + 1)).head.digest);
    expect(new Set(digests).size).toBe(network.log.length);
  });

  test("carries a difference at the beginning on to the end", () => {
    expect(someLog("0.006").state.head.digest).not.toBe(someLog().state.head.digest);
  });
});

const entryHash = "e".repeat(64);
const view = new MemoryState();
const digestOf = (verdict: Verdict, recordTime = START, stampedBy: string | null = null) =>
  chainDigest(sha256, { view, entryHash, recordTime, stampedBy, verdict });
const withChange = (change: Change) => digestOf(accepted([change]));

describe("a step of the chain", () => {
  test("covers the digest before it, the entry's hash, the record time and the verdict", () => {
    const ignored: Verdict = { kind: "ignored", reason: "" };
    expect(digestOf(ignored)).toBe(sha256(`${FIRST_DIGEST}\n${entryHash}\n${START}\nignored`));
  });

  test("depends on the record time", () => {
    expect(digestOf(accepted([]), addDuration(START, 1n))).not.toBe(digestOf(accepted([])));
  });

  test("depends on whether the entry was accepted, rejected or ignored", () => {
    const verdicts: readonly Verdict[] = [
      accepted([]),
      rejected(ledgerError("INVALID_ARGUMENT", "")),
      { kind: "ignored", reason: "" },
    ];
    expect(new Set(verdicts.map((verdict) => digestOf(verdict))).size).toBe(3);
  });

  test("depends on a rejection's code, not on its words, details or the defect behind it", () => {
    const error = ledgerError("INVALID_ARGUMENT", "one");
    const one = rejected(error);
    const other = rejected(
      ledgerError("INVALID_ARGUMENT", "two", { context: { a: "b" }, resources: [["PARTY", "p"]] }),
    );
    expect(digestOf(other)).toBe(digestOf(one));
    expect(digestOf({ kind: "rejected", error, changes: [], defect: new Error("x") })).toBe(digestOf(one));
    expect(digestOf(rejected(ledgerError("UNAUTHENTICATED", "one")))).not.toBe(digestOf(one));
  });

  test("does not depend on why an entry was ignored", () => {
    expect(digestOf({ kind: "ignored", reason: "a" })).toBe(digestOf({ kind: "ignored", reason: "b" }));
  });
});

describe("a transaction enters the digest", () => {
  const network = new SimulatedNetwork();
  const alice = network.registerMember("alice");
  const outcome = network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
  const transaction = outcome.verdict.kind === "accepted" ? outcome.verdict.transaction : null;
  const node = transaction?.nodes[0];
  if (transaction === null || node?.kind !== "create") throw new Error("nothing was created");
  const { contract } = node;
  const otherId = `00${"1".repeat(136)}` as ContractId;
  const digestWith = (given: Transaction | null) =>
    digestOf({
      kind: "accepted",
      transaction: given,
      effects: given === null ? { created: [], archived: [] } : effectsOf(given),
      changes: [],
    });

  const variants: readonly [string, Transaction | null][] = [
    ["whether there is one", null],
    ["its update id", { ...transaction, updateId: `1220${"0".repeat(64)}` }],
    ["its ledger time", { ...transaction, ledgerTime: addDuration(transaction.ledgerTime, 1n) }],
    ["its nodes", { ...transaction, nodes: [] }],
    [
      "a contract, whose id binds its content",
      { ...transaction, nodes: [{ ...node, contract: { ...contract, contractId: otherId } }] },
    ],
  ];
  test.each(variants)("with %s", (_what, variant) => {
    expect(digestWith(variant)).not.toBe(digestWith(transaction));
  });
});

describe("a change of the state enters the digest", () => {
  const party = "alice::1220" as PartyId;
  const account = { member: "m", free: 1n, refilledAt: START, purchased: 2n, consumed: 3n };
  const traffic = (change: Partial<typeof account>) =>
    withChange({ kind: "traffic", account: { ...account, ...change } });
  const member = { id: "m", namespaceKey: "k", namespace: "n", signingKeys: ["a", "b"], keySerial: 1n };
  const hosting = { party, hosts: ["m"], serial: 1n };
  const network = new SimulatedNetwork({ svs: 1 }).network;

  const pairs: readonly [string, string, string][] = [
    ["free traffic", traffic({}), traffic({ free: 2n })],
    ["the time of a refill", traffic({}), traffic({ refilledAt: addDuration(START, 1n) })],
    ["bought traffic", traffic({}), traffic({ purchased: 3n })],
    ["used traffic", traffic({}), traffic({ consumed: 4n })],
    ["whose traffic", traffic({}), traffic({ member: "n" })],
    [
      "a member's keys",
      withChange({ kind: "member", member }),
      withChange({ kind: "member", member: { ...member, signingKeys: ["a"] } }),
    ],
    [
      "a key serial",
      withChange({ kind: "member", member }),
      withChange({ kind: "member", member: { ...member, keySerial: 2n } }),
    ],
    [
      "a party's hosts",
      withChange({ kind: "hosting", hosting }),
      withChange({ kind: "hosting", hosting: { ...hosting, hosts: ["n"] } }),
    ],
    [
      "a hosting's serial",
      withChange({ kind: "hosting", hosting }),
      withChange({ kind: "hosting", hosting: { ...hosting, serial: 2n } }),
    ],
    [
      "the clock",
      withChange({ kind: "network", network }),
      withChange({ kind: "network", network: { ...network, clockOffset: 1n } }),
    ],
    [
      "the protocol version",
      withChange({ kind: "network", network }),
      withChange({ kind: "network", network: { ...network, protocolVersion: 2n } }),
    ],
    [
      "the burst",
      withChange({ kind: "network", network }),
      withChange({ kind: "network", network: { ...network, burstAmount: 1n } }),
    ],
    [
      "the members that may still register",
      withChange({ kind: "network", network: { ...network, protocolVersion: 4n } }),
      withChange({
        kind: "network",
        network: { ...network, protocolVersion: 4n, newcomers: { free: 1n, refilledAt: START } },
      }),
    ],
    [
      "the SV of an SV's stamp",
      withChange({ kind: "stamp", sv: "a", stampedAt: START }),
      withChange({ kind: "stamp", sv: "b", stampedAt: START }),
    ],
    [
      "the time of an SV's stamp",
      withChange({ kind: "stamp", sv: "a", stampedAt: START }),
      withChange({ kind: "stamp", sv: "a", stampedAt: addDuration(START, 1n) }),
    ],
    ["the SV whose stamp counted", digestOf(accepted([]), START, "a"), digestOf(accepted([]), START, "b")],
    ["a stamp that counted", digestOf(accepted([]), START, "a"), digestOf(accepted([]))],
    [
      "a submission's id",
      withChange({ kind: "submission", key: "a", until: START }),
      withChange({ kind: "submission", key: "b", until: START }),
    ],
    [
      "how long an id is remembered",
      withChange({ kind: "submission", key: "a", until: START }),
      withChange({ kind: "submission", key: "a", until: addDuration(START, 1n) }),
    ],
    [
      "a command",
      withChange({ kind: "command", key: "a", command: { submissionId: "s", recordTime: START } }),
      withChange({ kind: "command", key: "b", command: { submissionId: "s", recordTime: START } }),
    ],
  ];
  test.each(pairs)("with %s", (_what, one, other) => {
    expect(one).not.toBe(other);
  });
});
