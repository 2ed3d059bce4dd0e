/** A snapshot that is not saved, restored or deleted. The message says why, and what to do. */

/** The reasons, each with the HTTP status of its answer. */
const STATUSES = {
  "wrong-name": 400,
  missing: 404,
  conflict: 409,
  unsupported: 501,
  "cannot-start": 503,
  "no-room": 507,
} as const;

interface SnapshotRefusedOptions extends ErrorOptions {
  readonly kind: keyof typeof STATUSES;
}

export class SnapshotRefused extends Error {
  override readonly name = "SnapshotRefused";
  readonly kind: keyof typeof STATUSES;

  constructor(message: string, { kind, ...options }: SnapshotRefusedOptions) {
    super(message, options);
    this.kind = kind;
  }

  get status(): number {
    return STATUSES[this.kind];
  }
}
