/**
 * A store that roles write their SQL for once: SQLite embedded, PostgreSQL where an operator asks for it. Statements
 * number their parameters `$1`, `$2`, … in the subset of SQL that both speak. Integers come back as bigints.
 */
export type SqlValue = string | bigint | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface Sql {
  readonly all: (statement: string, ...parameters: readonly SqlValue[]) => Promise<readonly SqlRow[]>;
  /** The first row, if there is one. */
  readonly get: (statement: string, ...parameters: readonly SqlValue[]) => Promise<SqlRow | undefined>;
  /** Resolves with the number of changed rows. */
  readonly run: (statement: string, ...parameters: readonly SqlValue[]) => Promise<number>;
}

export interface TransactionOptions {
  /**
   * The rows come from elsewhere and would come again, so they need not be on disk when it resolves, and others may share its
   * commit. After a crash the store is whole, and a little older. Whatever is written later never stands without them.
   */
  readonly repeatable?: boolean;
  /**
   * Others may see the rows before they are on disk, and other work goes on meanwhile. The transaction itself resolves once
   * they are. A store on a server makes no difference.
   */
  readonly seenBeforeSynced?: boolean;
}

export interface Store extends Sql {
  /** The reason why the last write failed; null if it succeeded. Asking tries one, for the next answer. */
  readonly unwritable: () => string | null;
  /** All of the work is kept, or none. Transactions that write run one after the other. */
  readonly transaction: <T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /**
   * The number of times that repeatable transactions were lost while this process ran on: the database's server has
   * crashed or was replaced, or the disk did not take a shared commit. A lost connection is made again first: otherwise only
   * the next write would find a loss. A store without it loses none.
   */
  readonly losses?: () => Promise<number>;
  /** Has the function called when a loss is found without anyone asking. One at a time. */
  readonly onLoss?: (found: () => void) => void;
  /**
   * Tells the store that the owner's memory agrees with the rows after so many losses. After the first call, reads fail
   * while `losses` is higher: the owner may remember rows that are gone.
   */
  readonly settleLosses?: (losses: number) => void;
  /** Copies the embedded database as it is now into a file, while writes go on; not there on a server. */
  readonly copyTo?: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
  /** Its connections to a server; not there if it is embedded. */
  readonly connections?: () => ConnectionFigures;
}

export interface ConnectionFigures {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Reads that wait for a connection. */
  readonly waiting: number;
}
