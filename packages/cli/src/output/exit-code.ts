/** The exit codes of commands; docs/command-line.md lists them. */
export const EXIT = {
  done: 0,
  /** Anything that no other code says. */
  failed: 1,
  /** Wrong usage, or a configuration with mistakes: nothing was started. */
  usage: 2,
  /** The name, party, snapshot or file does not exist. */
  notFound: 3,
  /** No network runs, or it does not answer. */
  unreachable: 4,
  /** The token is missing, wrong or not enough. */
  unauthorized: 5,
  /** The network said no: a name that is taken or not valid, a lost race, too little coin. */
  refused: 6,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Ends a command with a sentence and a code. The message says what to do, too. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
