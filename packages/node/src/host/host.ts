/**
 * The ports to the machine that a process runs on. Composition roots take a `Host` (default: `systemHost`) and hand its
 * parts down, so that a whole role can run in virtual time, without files and sockets.
 */
import type { Server, ServerOptions } from "node:http";
import type { Server as TlsServer, ServerOptions as TlsServerOptions } from "node:https";
import type { DatabaseSync } from "node:sqlite";
import type { Duplex, Readable, Writable } from "node:stream";
import type { Fetch } from "@callsign/api";
import type { OutgoingOptions } from "./outgoing.ts";

export interface Clock {
  /** Milliseconds since 1970. Operators and time servers may set this clock back. */
  readonly wallMilliseconds: () => number;
  /** Milliseconds since some fixed moment; never goes back. */
  readonly elapsedMilliseconds: () => number;
}

export interface Timer {
  /** Lets the process exit although the timer is still set. */
  readonly unref: () => unknown;
}

export interface Timers {
  readonly set: (callback: () => void, milliseconds: number) => Timer;
  /** A timer that has fired, was cleared or is undefined stays as it is. */
  readonly clear: (timer: Timer | undefined) => void;
  /** Calls back after the input and output that are ready now. */
  readonly soon: (callback: () => void) => void;
}

export interface Randomness {
  readonly bytes: (length: number) => Uint8Array;
  readonly uuid: () => string;
  /** At least 0 and less than 1. Not for secrets. */
  readonly fraction: () => number;
}

/** Folders and files are for the process's own user alone. */
export interface Files {
  /** Null if there is no such file. */
  readonly read: (path: string) => string | null;
  /** Writes the file whole or not at all. */
  readonly write: (path: string, text: string) => void;
  /** For files that are larger than memory should hold. `start` is the first byte that is read; 0 if omitted. */
  readonly openRead: (path: string, start?: number) => Readable;
  /** In bytes; null if there is no such file. */
  readonly size: (path: string) => number | null;
  /** Replaces the file. It is on disk when the stream has finished. */
  readonly openWrite: (path: string) => Writable;
  /** Makes the folders above it as well. */
  readonly makeFolder: (path: string) => void;
  /** Takes from all other users the right to use a file or socket; one that is missing stays so. */
  readonly makePrivate: (path: string) => void;
  /** Names of the folder's files and folders; none if there is no such folder. */
  readonly list: (folder: string) => readonly string[];
  /** Removes a file or a whole folder. */
  readonly remove: (path: string) => void;
  /** It is on disk when this returns. Nothing happens if there is no such file. Both names are on one file system. */
  readonly move: (from: string, to: string) => void;
  /** The same for several at once, in their order: a power failure may leave any of them behind. */
  readonly moveAll: (moves: readonly FileMove[]) => void;
  /** Copies the file within this turn. The copy shares the file's blocks where the file system can do that. */
  readonly copy: (from: string, to: string) => void;
  /** Resolves when the file's content is on disk. */
  readonly sync: (path: string) => Promise<void>;
  /** The files of these names in the folder, and all files of the folders of these names. */
  readonly listFiles: (folder: string, names: readonly string[]) => readonly FoundFile[];
  /** Bytes that this process can still write to the folder's disk. */
  readonly freeBytes: (folder: string) => number;
  readonly openDatabase: (path: string, options?: DatabaseOptions) => DatabaseSync;
}

export interface FileMove {
  readonly from: string;
  readonly to: string;
}

export interface FoundFile {
  /** Within the folder. */
  readonly path: string;
  readonly bytes: number;
}

export interface DatabaseOptions {
  /** Locks the file for this process; a second one is refused. */
  readonly exclusive?: boolean;
  /**
   * A commit is on disk when it returns, unless this is false. Rows that can be made again from elsewhere do not need
   * that: after a power failure the database is whole, and a little older.
   */
  readonly synced?: boolean;
  /** Other processes of the node read the file meanwhile. Not with `exclusive`. */
  readonly hasReaders?: boolean;
  /** Reads the file beside the process that writes it. */
  readonly readOnly?: boolean;
  /** Marks the file as this store's: the file of another one in its place is refused as damaged. */
  readonly owner?: string;
  /** The memory for its pages; 16 MiB if omitted, so that the pages of a large commit fit. */
  readonly cacheKibibytes?: number;
  /** The length of a page of a new file: a power of two from 512 on, 4096 if omitted. A commit writes whole pages. */
  readonly pageBytes?: number;
}

export interface Http {
  readonly openClient: (options?: OutgoingOptions) => HttpClient;
  /** The server does not listen yet. */
  readonly createServer: (options: ServerOptions) => Server;
  /** The same over TLS. */
  readonly createTlsServer: (options: TlsServerOptions) => TlsServer;
}

export interface HttpClient {
  readonly fetch: Fetch;
  /** A connection of another protocol, which the server takes up at this URL. Rejects if the server does not. */
  readonly upgrade: (url: string, protocol: string, signal: AbortSignal) => Promise<Duplex>;
  /** Aborts the calls in flight and closes the connections. */
  readonly close: () => void;
}

export interface Host {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly randomness: Randomness;
  readonly files: Files;
  readonly http: Http;
}
