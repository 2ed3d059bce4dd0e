/** A command that speaks to a network, for people and for scripts. */
import type { Fetch } from "@callsign/api";
import type { AnswerPrinter } from "../output/answer-printer.ts";
import type { CommandHelp } from "../output/command-help.ts";
import type { Progress } from "../output/progress.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { OptionTable, OwnOptions } from "../settings/source-options.ts";

export interface CommandCall extends Surroundings {
  readonly words: readonly string[];
  readonly own: OwnOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly printer: AnswerPrinter;
  readonly progress: Progress;
  /** Its connections are closed when the command has ended. */
  readonly fetch: Fetch;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
}

export interface NetworkCommand extends CommandHelp {
  readonly options: OptionTable;
  /** The least and the most words behind the command's name; none if omitted. */
  readonly words?: readonly [least: number, most: number];
  /** The values that each word may have; any if omitted. */
  readonly choices?: readonly (readonly string[])[];
  /** Resolves with the exit code. Throws a `CommandFailure`, or the failure of a call. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** The options of every such command. */
export const ANSWER_OPTIONS: OptionTable = {
  json: { type: "boolean", meaning: "answers in JSON, as when the output is piped" },
  text: { type: "boolean", meaning: "answers in text, also when the output is piped" },
};

/** The option of every command about the local network. */
export const DATA_OPTION: OptionTable = {
  data: {
    type: "string",
    form: "<folder>",
    meaning: "the data folder of the local network (.data/localnet); also CALLSIGN_DATA",
  },
};

/** The options that choose a network and a user of it. */
export const TARGET_OPTIONS: OptionTable = {
  validator: { type: "string", form: "<url>", meaning: "the validator to ask; also CALLSIGN_VALIDATOR" },
  "token-file": {
    type: "string",
    form: "<file>",
    meaning: "the file of the token for that validator; also CALLSIGN_TOKEN_FILE",
  },
  ...DATA_OPTION,
};

export const SCAN_OPTION: OptionTable = {
  scan: {
    type: "string",
    form: "<url>",
    meaning: "a scan to ask, in place of a validator; also CALLSIGN_SCAN",
  },
};

export const USER_OPTION: OptionTable = {
  as: {
    type: "string",
    form: "<user>",
    meaning:
      "a user of the local network: app-user (the default), app-provider, sv, or any user of app-user's validator",
  },
};
