/**
 * The entries that a sequencer took and its replica has not applied yet: neither their ids nor their cost are in the
 * state, and whoever sent one a hundred times meanwhile would pay for one. As many as the sequencer's queue holds.
 */
interface Sent {
  readonly member: string;
  readonly submissionId: string;
}

export class EntriesInFlight {
  readonly #members = new Map<string, { readonly ids: Set<string>; bytes: bigint }>();

  has({ member, submissionId }: Sent): boolean {
    return this.#members.get(member)?.ids.has(submissionId) ?? false;
  }

  bytesOf(member: string): bigint {
    return this.#members.get(member)?.bytes ?? 0n;
  }

  /** Returns how to say that it is over. */
  begin({ member, submissionId }: Sent, bytes: bigint): () => void {
    const known = this.#members.get(member) ?? { ids: new Set<string>(), bytes: 0n };
    known.ids.add(submissionId);
    known.bytes += bytes;
    this.#members.set(member, known);
    return () => {
      known.ids.delete(submissionId);
      known.bytes -= bytes;
      if (known.ids.size === 0) this.#members.delete(member);
    };
  }
}
