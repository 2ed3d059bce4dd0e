/** The ways in which a store fails as a whole, whichever database keeps it. */

/** Another process has opened the store. */
export class DatabaseInUse extends Error {
  override readonly name = "DatabaseInUse";
}

/** The file or the schema holds something else, or has been damaged. */
export class DatabaseDamaged extends Error {
  override readonly name = "DatabaseDamaged";
}

/** The database cannot be opened until its operator changes the configuration or the database. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}

interface Unwritable {
  /** The message without folders and addresses: health checks show it to every caller. The message itself if omitted. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/**
 * Nothing can be written at present, and this was not: the disk is full, read-only or gone. Reads go on, and a later
 * write may succeed.
 */
export class StoreUnwritable extends Error {
  override readonly name: string = "StoreUnwritable";
  readonly reason: string;

  constructor(message: string, { reason = message, cause }: Unwritable = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The database server is gone, restarting or refuses work at present. Reads fail as well. */
export class StoreUnavailable extends StoreUnwritable {
  override readonly name: string = "StoreUnavailable";
}

/** The connection was lost during a commit, and the outcome could not be found out: the write may have been kept. */
export class StoreInDoubt extends StoreUnavailable {
  override readonly name: string = "StoreInDoubt";
}
