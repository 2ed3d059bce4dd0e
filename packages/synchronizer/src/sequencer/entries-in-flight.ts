/**
 * Entries that a sequencer accepted and its replica has not applied yet. Their ids and their cost are not in the state:
 * without this record, a member could send one entry a hundred times and pay once. The sequencer's queue bounds it.
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

  /** Returns a function that ends it. */
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
