/**
 * Files that may be renewed while the process runs, as `readTlsServer` or `readTlsClient` reads them. A renewal that cannot
 * be used leaves the last good one in use.
 */
import { TlsFilesRejected } from "./tls-files-rejected.ts";

/** Time between checks of the files. */
export const TLS_CHECK_MILLISECONDS = 5000;

export type Renewal<T> =
  | { readonly kind: "unchanged" }
  | { readonly kind: "renewed"; readonly value: T }
  /** `rejected` is answered once for each problem. */
  | { readonly kind: "rejected"; readonly problem: string };

export class RenewableFiles<T extends object> {
  readonly #read: () => T;
  #current: T;
  #problem: string | null = null;
  #isReported = false;

  /** Reads the files for the first time; throws `TlsFilesRejected`. */
  constructor(read: () => T) {
    this.#read = read;
    this.#current = read();
  }

  get current(): T {
    return this.#current;
  }

  /** The reason why the files, as they are now, are not in use; null if they are. */
  get problem(): string | null {
    return this.#isReported ? this.#problem : null;
  }

  /** Reads the files again. */
  check(): Renewal<T> {
    let value: T;
    try {
      value = this.#read();
    } catch (error) {
      if (!(error instanceof TlsFilesRejected)) throw error;
      return this.#reject(error.message);
    }
    this.#problem = null;
    this.#isReported = false;
    if (JSON.stringify(value) === JSON.stringify(this.#current)) return { kind: "unchanged" };
    this.#current = value;
    return { kind: "renewed", value };
  }

  /** Certificate and key are written one after the other: a problem counts when it is still there at the next look. */
  #reject(problem: string): Renewal<T> {
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#isReported = false;
      return { kind: "unchanged" };
    }
    if (this.#isReported) return { kind: "unchanged" };
    this.#isReported = true;
    return { kind: "rejected", problem };
  }
}
