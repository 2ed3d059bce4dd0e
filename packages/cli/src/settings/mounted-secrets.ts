/** The file of a mounted secret that a key is read from; keys of the values may name it. */
import type { MountedSecret } from "../keys/key.ts";
import { readSecret, type SecretRead } from "../secrets/read-secret.ts";
import { findNode, splitKeyPath, type ValueMap } from "../values/value-node.ts";
import type { ConfigFiles } from "./config-source.ts";

interface Lookup {
  readonly mounted: MountedSecret;
  readonly values: ValueMap;
  readonly folder: string;
  readonly files: ConfigFiles;
}

export function findKeySecret({ mounted, values, folder, files }: Lookup): SecretRead {
  const named = (path: string | undefined) => {
    const node = path === undefined ? undefined : findNode(values, splitKeyPath(path));
    return node?.kind === "scalar" ? String(node.value) : undefined;
  };
  const name = named(mounted.nameFrom);
  const key = named(mounted.keyFrom) ?? mounted.key;
  const first = readSecret(files, folder, { name: name ?? mounted.name, key });
  if (first.kind !== "missing" || name !== undefined || mounted.otherName === undefined) return first;
  return readSecret(files, folder, { name: mounted.otherName, key });
}
