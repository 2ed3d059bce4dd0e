/** The place that a value of the configuration comes from, for the person who has to change it. */
export type ValueOrigin =
  | { readonly kind: "file"; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: "set"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string; readonly line?: number }
  | { readonly kind: "secret"; readonly file: string };

export function formatOrigin(origin: ValueOrigin): string {
  switch (origin.kind) {
    case "file":
      return `${origin.file}:${origin.line}:${origin.column}`;
    case "set":
      return `--set ${origin.text}`;
    case "variable":
      return origin.line === undefined
        ? `environment variable ${origin.name}`
        : `environment variable ${origin.name}, line ${origin.line}`;
    case "secret":
      return `secret file ${origin.file}`;
  }
}
