/** The output of a command. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** For people who watch: errors, warnings. */
  readonly complain: (text: string) => void;
}
