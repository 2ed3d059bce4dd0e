/** The output of a command. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** For people who watch: errors, warnings, progress. */
  readonly complain: (text: string) => void;
  /** True if people read what is written; false if omitted: then programs do. */
  readonly isRead?: boolean;
  /** True if people watch complaints, on a terminal that can rewrite a line. */
  readonly isWatched?: boolean;
  readonly hasColour?: boolean;
  /** Asks the person at the keyboard; null at the end of the input. Undefined if there is nobody. */
  readonly ask?: (question: string) => Promise<string | null>;
}
