/** The text of a command's help. */
export interface CommandHelp {
  /** The words behind the command's name, as usage shows them; empty if there are none. */
  readonly form: string;
  /** One line, without a full stop at its end. */
  readonly summary: string;
  /** Whole sentences. */
  readonly details?: string;
  /** Command lines; a test runs or parses each. */
  readonly examples: readonly string[];
}
