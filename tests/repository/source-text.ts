// A small lexer for TypeScript, just good enough to look for words: it knows comments, strings and
// templates. It does not know regular expressions, so a quote or `//` inside one can confuse it.

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

function isComment(text: string): boolean {
  return text.startsWith("/");
}

/** The source without its comments. Line numbers stay. */
export function withoutComments(source: string): string {
  return source.replace(token, (text) => (isComment(text) ? text.replace(/[^\n]/g, " ") : text));
}

/** The source without comments and without the text of strings; what a template interpolates stays. */
export function withoutStrings(source: string): string {
  return source.replace(token, (text) => {
    if (isComment(text)) return text.replace(/[^\n]/g, " ");
    if (!text.startsWith("`")) return '""';
    return `(${[...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(", ")})`;
  });
}

/** The module names of its imports, re-exports and dynamic imports. */
export function listImports(source: string): string[] {
  const imports = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
  return [...withoutComments(source).matchAll(imports)].flatMap((match) => match[1] ?? []);
}

export function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.endsWith(".test.tsx");
}

export function isSource(path: string): boolean {
  return /\.(ts|tsx|js)$/.test(path);
}
