/** The one place where data meets a schema. It stops at the first fault and says it in a line. */
import type { z } from "zod";

export interface Problem {
  /** The place of the fault: `commands[0].CreateCommand.templateId`; empty for the value itself. */
  readonly path: string;
  readonly reason: string;
  /**
   * `missing`: the value is not there. `malformed`: it is not of its type.
   * `rule`: it is of its type, and a rule of the operation refuses it.
   */
  readonly kind: "missing" | "malformed" | "rule";
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/**
 * A list of a million faults must not cost more than one: a request is read before its caller is known. zod stops
 * at the first fault of a list when told so and when the fault is final, which rules say with `abort`.
 */
export const firstFaultOnly: z.core.ParseContext<z.core.$ZodIssue> & { readonly abortEarly: true } = {
  abortEarly: true,
  reportInput: true,
};

export function check<S extends z.ZodType>(schema: S, value: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(value, firstFaultOnly);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, problem: findProblem(result.error) };
}

/** `path: reason`, for messages. */
export function formatProblem({ path, reason }: Problem): string {
  return path === "" ? reason : `${path}: ${reason}`;
}

type Issue = z.core.$ZodIssue;

function findProblem(error: z.ZodError): Problem {
  const [issue] = error.issues;
  if (issue === undefined) return { path: "", reason: "is not valid", kind: "malformed" };
  const { path, cause } = descend(issue);
  return { path: formatPath(path), reason: reasonOf(cause), kind: kindOf(cause) };
}

/** Of a failed choice between variants, the branch that came furthest is the one that was meant. */
function descend(issue: Issue): { path: PropertyKey[]; cause: Issue } {
  if (issue.code !== "invalid_union") return { path: issue.path, cause: issue };
  const branches = issue.errors.flatMap(([first]) => (first === undefined ? [] : [descend(first)]));
  const [furthest] = branches.toSorted((a, b) => b.path.length - a.path.length);
  if (furthest === undefined || (kindOf(furthest.cause) === "missing" && furthest.path.length <= 1)) {
    return { path: issue.path, cause: issue };
  }
  return { path: [...issue.path, ...furthest.path], cause: furthest.cause };
}

function kindOf(issue: Issue): Problem["kind"] {
  if (issue.code === "custom") return "rule";
  return "input" in issue && issue.input !== undefined ? "malformed" : "missing";
}

function reasonOf(issue: Issue): string {
  if (issue.code === "invalid_union") {
    const names = issue.errors.flatMap(([first]) => first?.path[0] ?? []).map(String);
    return names.length === 0 ? "matches none of its forms" : `expected one of ${names.join(", ")}`;
  }
  return kindOf(issue) === "missing" ? "is missing" : issue.message.replace(/^Invalid input: /, "");
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}
