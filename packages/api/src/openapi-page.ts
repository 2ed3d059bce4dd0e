/** A page to read an OpenAPI document with: one file, no script, nothing fetched. */
import type { JsonValue } from "@callsign/ledger";
import type { OpenApiDocument, OpenApiOperation } from "./openapi.ts";

export function renderOpenApiPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map((tag) => {
    const tagged = operations.filter(({ operation }) => operation.tags[0] === tag.name);
    return `<h2>${escapeHtml(tag.name)}</h2><p>${escapeHtml(tag.description)}</p>${tagged.map(renderOperation).join("")}`;
  });
  const schemas = Object.entries(document.components["schemas"] ?? {}).map(
    ([name, schema]) =>
      `<details id="${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${code(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)} Base path: <code>${escapeHtml(document.servers[0]?.url ?? "/")}</code></p>
${sections.join("\n")}
<h2>Schemas</h2>
${schemas.join("\n")}
</body>
</html>
`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
details { border: 1px solid #8886; border-radius: 4px; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; }
b { display: inline-block; min-width: 4.5rem; }
pre { overflow-x: auto; background: #8881; padding: .6rem; border-radius: 4px; }
s { opacity: .7; }
small { font-weight: normal; opacity: .7; }
:root { color-scheme: light dark; }
`;

interface Listed {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

function renderOperation({ path, method, operation }: Listed): string {
  const line = `<code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}`;
  const parts = [
    paragraph(operation["description"]),
    section("Parameters", operation["parameters"]),
    section("Body", operation["requestBody"]),
    section("Responses", operation.responses),
  ];
  return (
    `<details><summary><b>${escapeHtml(method.toUpperCase())}</b>` +
    `${operation["deprecated"] === true ? `<s>${line}</s> deprecated` : line}</summary>${parts.join("")}</details>`
  );
}

function paragraph(text: JsonValue | undefined): string {
  return typeof text === "string" ? `<p>${escapeHtml(text).replaceAll("\n\n", "</p><p>")}</p>` : "";
}

function section(title: string, value: JsonValue | undefined): string {
  return value === undefined ? "" : `<h4>${title}</h4>${code(value)}`;
}

/** JSON, with references as links to the schemas below. */
function code(value: JsonValue): string {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  const linked = text.replace(
    /#\/components\/schemas\/([\w.-]+)/g,
    (_, name: string) => `<a href="#${name}">${name}</a>`,
  );
  return `<pre>${linked}</pre>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
