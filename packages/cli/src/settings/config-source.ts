/** Everything that a process is configured by, as its command line names it. */
import type { Host } from "@callsign/node";
import type { Finding } from "../values/finding.ts";

export type ConfigFiles = Host["files"];

export interface ConfigSource {
  /** Values files, the later one winning. */
  readonly files: readonly string[];
  /** `--set` and `--set-string`, in their order. */
  readonly sets: readonly SetOption[];
  /** The folder of mounted secrets: `DIR/<secret name>/<key>`. */
  readonly secretsFolder?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface SetOption {
  readonly text: string;
  readonly isText: boolean;
}

export interface ReadParts {
  readonly source: ConfigSource;
  readonly files: ConfigFiles;
}

/** All mistakes at once, if there is any. */
export type SetupOutcome<T> =
  | { readonly ok: true; readonly setup: T }
  | {
      readonly ok: false;
      readonly findings: readonly Finding[];
      /** The parts that could be read, with defaults in place of mistakes: to be looked at, never to be started. */
      readonly draft?: T;
    };
