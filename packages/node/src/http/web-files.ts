/**
 * The built files of the web application, in memory: they are small, a request can name no other file, and a build that
 * replaces them on disk does not change the pages of a running process.
 */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import type { Host } from "../host/host.ts";

export interface WebFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Compressed with Brotli; null where the build has left none. */
  readonly brotli: Buffer | null;
  /** True if the name changes with the content. */
  readonly isImmutable: boolean;
}

export type WebFiles = ReadonlyMap<string, WebFile>;

type Files = Host["files"];

export const INDEX_PATH = "/index.html";
/** The build gives the files of this folder names that change with their content. */
export const ASSETS_PATH = "/assets/";

const BROTLI = ".br";
const OTHER_TYPE = "application/octet-stream";
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** The folder of the package `@callsign/web`, in a clone as in an installed package. */
export function findWebFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("@callsign/web/package.json")), "dist");
}

/** Path → file; null if the application is not built. */
export async function readWebFiles(folder: string, files: Files): Promise<WebFiles | null> {
  const paths = listPaths(folder, "", files);
  if (!paths.includes(INDEX_PATH)) return null;
  const read = async (path: string): Promise<readonly [string, WebFile]> => {
    const plain = await readBytes(join(folder, path), files);
    const compressed = path + BROTLI;
    return [
      path,
      {
        type: TYPES[extname(path)] ?? OTHER_TYPE,
        etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
        plain,
        brotli: paths.includes(compressed) ? await readBytes(join(folder, compressed), files) : null,
        isImmutable: path.startsWith(ASSETS_PATH),
      },
    ];
  };
  return new Map(await Promise.all(paths.filter((path) => !path.endsWith(BROTLI)).map(read)));
}

/** Names without a dot are folders: the build gives every file an ending. */
function listPaths(folder: string, under: string, files: Files): readonly string[] {
  return files.list(join(folder, under)).flatMap((name) => {
    if (name.startsWith(".")) return [];
    const path = `${under}/${name}`;
    return name.includes(".") ? [path] : listPaths(folder, path, files);
  });
}

async function readBytes(path: string, files: Files): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of files.openRead(path)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
