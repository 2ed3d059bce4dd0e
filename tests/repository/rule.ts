import type { TrackedFile } from "./tracked-files.ts";

/** A rule about the repository that the linter cannot say. */
export interface Rule {
  /** The rule, as a sentence. */
  readonly name: string;
  /** The problems: one message each, each starting with the file's path. */
  readonly find: (files: readonly TrackedFile[]) => string[];
  /** Small repositories that break the rule: each must be found, or the rule is asleep. */
  readonly broken: readonly (readonly TrackedFile[])[];
  /** One that comes close and keeps it. */
  readonly sound: readonly TrackedFile[];
}

export function file(path: string, text = ""): TrackedFile {
  return { path, text };
}

/** A rule that looks at one file at a time; `problem` answers undefined when the file is fine. */
export function eachFile(problem: (file: TrackedFile) => string | undefined): Rule["find"] {
  return (files) =>
    files.flatMap((candidate) => {
      const found = problem(candidate);
      return found === undefined ? [] : [`${candidate.path}: ${found}`];
    });
}
