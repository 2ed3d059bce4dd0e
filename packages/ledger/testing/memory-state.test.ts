import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { submissionKey } from "../src/transition/deduplication.ts";
import type { AcceptedCommand } from "../src/transition/ledger-view.ts";
import type { Outcome } from "../src/transition/outcome.ts";
import { DAY, HOUR } from "../src/values/duration.ts";
import { addDuration, type Time } from "../src/values/time.ts";
import { MemoryState } from "./memory-state.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import { anyCommand, nextEntry, resultOf, sign, TestReplica } from "./transition-fixture.ts";

/** Never forgets anything. */
class RememberingState extends MemoryState {
  protected readonly submissions = new Map<string, Time>();
  protected readonly commands = new Map<string, AcceptedCommand>();

  override absorb(outcome: Outcome): void {
    super.absorb(outcome);
    for (const change of outcome.changes) {
      if (change.kind === "submission") this.submissions.set(change.key, change.until);
      if (change.kind === "command") this.commands.set(change.key, change.command);
    }
  }

  override findSubmission(key: string): Time | undefined {
    return this.submissions.get(key);
  }

  override findAcceptedCommand(key: string): AcceptedCommand | undefined {
    return this.commands.get(key);
  }
}

/** Forgets everything as soon as it may. */
class ForgetfulState extends RememberingState {
  override findSubmission(key: string): Time | undefined {
    const until = this.submissions.get(key);
    return until !== undefined && until < this.head.recordTime ? undefined : until;
  }

  override findAcceptedCommand(key: string): AcceptedCommand | undefined {
    const command = this.commands.get(key);
    const forgotten = command !== undefined && command.recordTime < this.head.recordTime - 7n * DAY;
    return forgotten ? undefined : command;
  }
}

describe("forgetting ids and commands", () => {
  const step = fc.record({
    wait: fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n * HOUR), fc.bigInt(0n, 4n * DAY)),
    submissionId: fc.constantFrom("s1", "s2", "s3"),
    commandId: fc.constantFrom("c1", "c2"),
    window: fc.oneof(fc.bigInt(-HOUR, HOUR), fc.bigInt(-HOUR, 25n * HOUR)),
    lookBack: fc.option(fc.bigInt(0n, 8n * DAY)),
    /** True if an earlier entry is sent again instead. */
    again: fc.boolean(),
  });

  test("changes no outcome, whether it happens at once, some time, or never", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        // Signatures are not the point here.
        const network = new SimulatedNetwork({ svs: 1, verify: () => true });
        const alice = network.registerMember("alice");
        const replicas = [new MemoryState(), new RememberingState(), new ForgetfulState()].map(
          (state) => new TestReplica({ verify: () => true }, state),
        );
        for (const replica of replicas) for (const entry of network.log) replica.apply(entry);
        for (const { wait, submissionId, commandId, window, lookBack, again } of steps) {
          network.clock = addDuration(network.clock, wait);
          const content = network.submitContent(alice, {
            actAs: [alice.party],
            commands: [anyCommand(alice.party)],
            submissionId,
            commandId,
            maxRecordTime: addDuration(network.clock, window),
            deduplicateFrom: lookBack === null ? null : addDuration(network.clock, -lookBack),
          });
          const earlier = network.log.at(-2);
          const envelope = again && earlier !== undefined ? earlier : sign(content, [alice.signingKey]);
          const { content: text, signatures } = envelope;
          const entry = nextEntry(network.state, { content: text, signatures }, network.clock);
          const outcome = network.applyEntry(entry);
          seen.add(resultOf(outcome));
          for (const replica of replicas) expect(replica.apply(entry).head).toEqual(outcome.head);
        }
      }),
      // One seed for all runs, so that what was seen does not depend on luck.
      { numRuns: 60, seed: 20_260_101 },
    );
    // The steps are rich enough to mean something.
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(["DUPLICATE_COMMAND", "NOT_SEQUENCED_TIMEOUT", "accepted", "ignored"]),
    );
  });

  test("happens once an id's latest time has passed", () => {
    const network = new SimulatedNetwork({ svs: 1 });
    const alice = network.registerMember("alice");
    const maxRecordTime = addDuration(network.now, HOUR);
    const submissionId = "one";
    network.submit(alice, { actAs: [alice.party], commands: [], submissionId, maxRecordTime });
    const key = submissionKey({ member: alice.id, submissionId });
    network.clock = maxRecordTime;
    network.applyEntry(network.sequence({ content: "", signatures: [] }));
    expect(network.state.findSubmission(key)).toBe(maxRecordTime);
    network.applyEntry(network.sequence({ content: "", signatures: [] }));
    expect(network.state.findSubmission(key)).toBeUndefined();
  });

  test("happens seven days after a command", () => {
    const network = new SimulatedNetwork({ svs: 1 });
    const alice = network.registerMember("alice");
    const outcome = network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
    const change = outcome.changes.find(({ kind }) => kind === "command");
    const key = change?.kind === "command" ? change.key : "";
    network.clock = addDuration(network.now, 7n * DAY);
    network.applyEntry(network.sequence({ content: "", signatures: [] }));
    expect(network.state.findAcceptedCommand(key)).toBeDefined();
    network.applyEntry(network.sequence({ content: "", signatures: [] }));
    expect(network.state.findAcceptedCommand(key)).toBeUndefined();
  });

  test("is not held up by an id that is used again and again", () => {
    const network = new SimulatedNetwork({ svs: 1 });
    const alice = network.registerMember("alice");
    const submit = (submissionId: string) => {
      const maxRecordTime = addDuration(network.clock, HOUR);
      network.submit(alice, { actAs: [alice.party], commands: [], submissionId, maxRecordTime });
      return submissionKey({ member: alice.id, submissionId });
    };
    const keys: string[] = [];
    submit("evergreen");
    for (let i = 0; i < 5; i++) {
      keys.push(submit(`once-${i}`));
      network.clock = addDuration(network.clock, HOUR + 1_000n);
      submit("evergreen");
    }
    expect(keys.filter((key) => network.state.findSubmission(key) !== undefined)).toEqual([]);
  });
});

describe("taking an outcome in", () => {
  test("moves the head, and keeps exactly the contracts that are active", () => {
    const network = new SimulatedNetwork();
    const alice = network.registerMember("alice");
    const before = network.state.contracts.size;
    const created = network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
    expect(network.state.head).toBe(created.head);
    expect(network.state.contracts.size).toBe(before + 1);
    const [node] = created.created;
    expect(network.state.findContract(node?.contract.contractId ?? ("" as never))).toBe(node?.contract);
  });
});
