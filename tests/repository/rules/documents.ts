import { posix } from "node:path";
import { eachFile, file, type Rule } from "../rule.ts";

// Written in two parts, so that this file keeps its own rule.
const machinePath = new RegExp(`(?<![\\w.~}-])/(${["work", "root", "home"].join("|")})/[\\w.-]`);
const registryHost = /\bregistry\.[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\b|^\s*(\S+:)?registry\s*=/m;

const machinePaths: Rule = {
  name: "no file names a folder of somebody's machine",
  find: eachFile(({ text }) => {
    const path = machinePath.exec(text)?.[0];
    return path === undefined ? undefined : `names ${path}…`;
  }),
  broken: ["root", "home", "work"].map((folder) => [file("README.md", `cd /${folder}/callsign`)]),
  sound: [file("README.md", "packages/ledger, src/work/a.ts, ~/home/a, ${folder}/root/a, work/, /homepage")],
};

const registryHosts: Rule = {
  name: "no file names a package registry's host",
  find: eachFile(({ text }) => {
    const host = registryHost.exec(text)?.[0];
    return host === undefined ? undefined : `names ${host}`;
  }),
  broken: [
    [file(".npmrc", "save-exact=true\nregistry=anything")],
    [file("docs/a.md", `see https://${["registry", "example", "org"].join(".")}/zod`)],
  ],
  sound: [file("docs/a.md", "The npm registry. GET /registry/metadata. registry.ts, registry.find()")],
};

const fences = /^(```|~~~)[\s\S]*?^\1/gm;

/** Markdown without its code, where brackets mean something else. */
function prose(markdown: string): string {
  return markdown.replace(fences, "").replace(/`[^`\n]*`/g, "");
}

/** The anchors of a document's headings, as GitHub makes them: in lower case, without punctuation, hyphens for spaces. */
function anchorsOf(markdown: string): readonly string[] {
  return [...markdown.replace(fences, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

const links: Rule = {
  name: "relative links in documents lead to a file or folder, and to a heading in it",
  find: (files) => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const exists = (target: string) =>
      target === "." || texts.has(target) || [...texts.keys()].some((path) => path.startsWith(`${target}/`));
    const hasHeading = (target: string, anchor: string) =>
      anchor === "" || !target.endsWith(".md") || anchorsOf(texts.get(target) ?? "").includes(anchor);
    return files
      .filter(({ path }) => path.endsWith(".md"))
      .flatMap(({ path, text }) =>
        [...prose(text).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)/gm)]
          .map((match) => match[1] ?? match[2] ?? "")
          .filter((link) => !/^\w+:/.test(link))
          .filter((link) => {
            const [place = "", anchor = ""] = link.split("#");
            const target = place === "" ? path : posix.join(posix.dirname(path), place).replace(/\/$/, "");
            return !exists(target) || !hasHeading(target, anchor);
          })
          .map((link) => `${path}: links to ${link}, which does not exist`),
      );
  },
  broken: [
    [file("README.md", "see [the glossary](docs/glossary.md)")],
    [file("docs/a.md", "see [the licence](LICENSE)"), file("LICENSE")],
    [file("docs/a.md", "[b]: ./b.md#heading")],
    [file("docs/a.md", "[b](b.md#other)"), file("docs/b.md", "# Heading\n```\n# Other\n```\n")],
    [file("docs/a.md", "# A\n[below](#b)")],
  ],
  sound: [
    file(
      "README.md",
      "# Over here\n[a](docs/a.md#top-of-it) [docs](docs/) [web](https://example.org) [here](#over-here)",
    ),
    file("docs/a.md", "## Top, of `it`\n[up](../README.md)\n```\n[x](y)\n```\n`[x](y)`"),
  ],
};

const commands: Rule = {
  name: "every npm script a document mentions exists",
  find: (files) => {
    const manifest = files.find(({ path }) => path === "package.json");
    const scripts = Object.keys((JSON.parse(manifest?.text ?? "{}") as { scripts?: object }).scripts ?? {});
    return files
      .filter(({ path }) => path.endsWith(".md"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|start|test)/g)]
          .map((match) => ({ command: match[0], script: match[1] ?? match[0].slice("npm ".length) }))
          .filter(({ script }) => !scripts.includes(script))
          .map(({ command }) => `${path}: mentions ${command}, which package.json does not have`),
      );
  },
  broken: [
    [file("README.md", "Run `npm run lint`."), file("package.json", '{ "scripts": { "test": "" } }')],
    [file("README.md", "Run `npm start`."), file("package.json", "{}")],
  ],
  sound: [
    file("README.md", "`npm test`, `npm run test:long -- --seed 1`, npm runs on Node"),
    file("package.json", '{ "scripts": { "test": "", "test:long": "" } }'),
  ],
};

const decisions: Rule = {
  name: "decisions are numbered 0001, 0002, … without a gap",
  find: (files) => {
    const names = files
      .flatMap(({ path }) => /^docs\/decisions\/(.*)$/.exec(path)?.[1] ?? [])
      .filter((name) => name !== "README.md")
      .sort();
    return names.flatMap((name, index) => {
      const number = String(index + 1).padStart(4, "0");
      const fits = name.startsWith(`${number}-`) && /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name);
      return fits ? [] : [`docs/decisions/${name}: expected ${number}-some-words.md`];
    });
  },
  broken: [
    [file("docs/decisions/0001-a.md"), file("docs/decisions/0003-c.md")],
    [file("docs/decisions/0001-a.md"), file("docs/decisions/0001-b.md")],
    [file("docs/decisions/order-first.md")],
    [file("docs/decisions/0001-Order_First.md")],
  ],
  sound: [
    file("docs/decisions/README.md"),
    file("docs/decisions/0001-order-first.md"),
    file("docs/decisions/0002-b.md"),
  ],
};

export const documentRules: readonly Rule[] = [machinePaths, registryHosts, links, commands, decisions];
