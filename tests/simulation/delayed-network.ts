/**
 * A simulated network whose submissions can be held back on their way: signed now, sequenced later, in another
 * order, perhaps twice, perhaps too late.
 */
import { EntryContent } from "../../packages/ledger/src/transition/entry-content.ts";
import { type Envelope, signedMessage } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { MemberKey } from "../../packages/ledger/testing/member-key.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";

export class DelayedNetwork extends SimulatedNetwork {
  readonly onTheWay: Envelope[] = [];
  #isDelaying = false;

  /** Holds back the submissions made meanwhile; to the submitter it looks as if nothing happened yet. */
  delay(act: () => void): void {
    this.#isDelaying = true;
    try {
      act();
    } finally {
      this.#isDelaying = false;
    }
  }

  override append(content: EntryContent, keys: readonly MemberKey[]): Outcome {
    // The founding is appended while this object is still being made.
    if (!(#isDelaying in this) || !this.#isDelaying) return super.append(content, keys);
    const text = EntryContent.encode(content);
    const signatures = keys.map((key) => ({
      publicKey: key.publicKey,
      signature: key.sign(signedMessage(text)),
    }));
    this.onTheWay.push({ content: text, signatures });
    const { head } = this.state;
    const verdict = { kind: "ignored", reason: "on its way" } as const;
    return { head, verdict, created: [], archived: [], changes: [], completion: null, imported: null };
  }

  deliver(envelope: Envelope): Outcome {
    return this.applyEntry(this.sequence(envelope));
  }
}
