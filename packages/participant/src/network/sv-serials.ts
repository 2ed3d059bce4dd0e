/**
 * The highest serial of each SV's certificates that was seen: the thief of a key that was replaced cannot show its old
 * certificate. The serials live as long as the process; the first certificate after a start is believed.
 */
export class SvSerials {
  readonly #highest = new Map<string, number>();

  highestOf(sv: string): number {
    return this.#highest.get(sv) ?? 0;
  }

  /** Call for SVs of the network alone: their number bounds the memory. */
  note(sv: string, serial: number): void {
    this.#highest.set(sv, Math.max(serial, this.highestOf(sv)));
  }
}
