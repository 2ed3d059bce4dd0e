import { expect, test } from "vitest";
import { listTypePackages, makeManifest, nameJavaScript } from "../../scripts/staged-package.ts";

test("a manifest leads to JavaScript and declarations, and is not private", () => {
  const source = {
    name: "@callsign/api",
    version: "0.2.0",
    private: true,
    description: "Tables.",
    license: "Apache-2.0",
    type: "module",
    exports: { ".": "./src/index.ts" },
    dependencies: { zod: "4.6.7", jose: "6.2.17" },
  };
  const manifest = makeManifest(source, { "@types/node": ">=24" });
  expect(manifest).toEqual({
    name: "@callsign/api",
    version: "0.2.0",
    description: "Tables.",
    license: "Apache-2.0",
    type: "module",
    engines: { node: "^24.20 || >=26.6" },
    types: "./src/index.d.ts",
    exports: { ".": { types: "./src/index.d.ts", default: "./src/index.js" } },
    files: ["src"],
    dependencies: { "@types/node": ">=24", jose: "6.2.17", zod: "4.6.7" },
  });
  expect(Object.keys(manifest.dependencies)).toEqual(["@types/node", "jose", "zod"]);
});

test("an entry that is JavaScript already stays, and has declarations", () => {
  const bin = { callsign: "./src/bin.js" };
  const source = { name: "callsign", version: "0.2.0", bin, exports: { ".": "./src/index.js" } };
  expect(makeManifest(source, {})).toMatchObject({
    bin,
    exports: { ".": { types: "./src/index.d.ts", default: "./src/index.js" } },
  });
});

test.each([
  ['import type { A } from "./a.ts";', 'import type { A } from "./a.js";'],
  ['export { b } from "../b/b.ts";', 'export { b } from "../b/b.js";'],
  ['type C = import("./c.ts").C;', 'type C = import("./c.js").C;'],
  ['import "./d.ts";', 'import "./d.js";'],
  ['import { e } from "some-package/e.ts";', 'import { e } from "some-package/e.ts";'],
  ['const text: "./f.ts";', 'const text: "./f.ts";'],
])("declarations name the JavaScript beside them: %s", (given, wanted) => {
  expect(nameJavaScript(given)).toBe(wanted);
});

test("types of modules that bring none of their own are dependencies", () => {
  const known = { "@types/node": "24.19.2", "@types/pg": "8.23.1", "@types/ws": "8.18.2" };
  const declarations = [
    'import type { Server } from "node:http";',
    'type Client = import("pg").Client; import "zod";',
  ];
  expect(listTypePackages(declarations, known)).toEqual({ "@types/node": ">=24", "@types/pg": "8.23.1" });
});
