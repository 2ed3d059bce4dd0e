/** The same log applied to the state in memory, and a comparison of a replica's state with it. */
import { expect } from "vitest";
import type { Head } from "../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { MemoryState } from "../../packages/ledger/testing/memory-state.ts";
import type { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { newTransition } from "../golden-log/replay-digests.ts";

export class Oracle {
  readonly state = new MemoryState();
  readonly outcomes: Outcome[] = [];
  readonly #transition = newTransition();
  /** Everything that was ever named, by the kind of change that named it. */
  readonly #named = {
    member: new Set<string>(),
    hosting: new Set<PartyId>(),
    traffic: new Set<string>(),
    submission: new Set<string>(),
    command: new Set<string>(),
  };

  /** The one that has applied the log up to an entry. */
  static behind(log: readonly LogEntry[], sequence: number): Oracle {
    const oracle = new Oracle();
    oracle.apply(log.slice(0, sequence));
    return oracle;
  }

  apply(log: readonly LogEntry[]): void {
    for (const entry of log) {
      const outcome = this.#transition.apply(entry, this.state);
      this.state.absorb(outcome);
      this.outcomes.push(outcome);
      for (const change of outcome.changes) {
        if (change.kind === "member") this.#named.member.add(change.member.id);
        if (change.kind === "hosting") this.#named.hosting.add(change.hosting.party);
        if (change.kind === "traffic") this.#named.traffic.add(change.account.member);
        if (change.kind === "submission") this.#named.submission.add(change.key);
        if (change.kind === "command") this.#named.command.add(change.key);
      }
    }
  }

  get heads(): readonly Head[] {
    return this.outcomes.map(({ head }) => head);
  }

  /** Everybody who is a member. */
  get members(): readonly string[] {
    return [...this.#named.member];
  }

  /** Every answer of the replica's state must be the one that the state in memory gives. */
  compare(state: SqliteState): void {
    const { state: memory } = this;
    expect(state.head).toEqual(memory.head);
    expect(state.network).toEqual(memory.network);
    for (const [contractId, contract] of memory.contracts) {
      expect(state.findContract(contractId)).toEqual(contract);
    }
    for (const { archived } of this.outcomes) {
      for (const { contractId } of archived) expect(state.findContract(contractId)).toBeUndefined();
    }
    for (const id of this.#named.member) expect(state.findMember(id)).toEqual(memory.findMember(id));
    for (const party of this.#named.hosting)
      expect(state.findHosting(party)).toEqual(memory.findHosting(party));
    for (const id of this.#named.traffic) expect(state.findTraffic(id)).toEqual(memory.findTraffic(id));
    this.#compareMemories(state);
  }

  /** Ids and commands must be remembered as long as they count; after that either state may have forgotten. */
  #compareMemories(state: SqliteState): void {
    const { head } = this.state;
    for (const key of this.#named.submission) {
      const until = this.state.findSubmission(key);
      if (until !== undefined && until >= head.recordTime) expect(state.findSubmission(key)).toBe(until);
    }
    const oldest = head.recordTime - 7n * 86_400_000_000n;
    for (const key of this.#named.command) {
      const command = this.state.findAcceptedCommand(key);
      if (command !== undefined && command.recordTime >= oldest)
        expect(state.findAcceptedCommand(key)).toEqual(command);
    }
  }
}
