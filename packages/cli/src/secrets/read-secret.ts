/** A secret as Kubernetes mounts it: a folder of its name, with a file for each key. */
import { join } from "node:path";
import { errorCodeOf, type Host } from "@callsign/node";
import { MAX_SECRET_FILE_BYTES } from "../values/limits.ts";

export type SecretRead =
  | { readonly kind: "found"; readonly value: string; readonly file: string }
  | { readonly kind: "missing"; readonly file: string }
  /** There, and of no use. */
  | { readonly kind: "faulty"; readonly file: string; readonly problem: string };

interface SecretName {
  readonly name: string;
  readonly key: string;
}

/** Kubernetes allows these in names of secrets and of their keys, and no path can be made of them. */
const NAME = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/;

export function readSecret(files: Host["files"], folder: string, { name, key }: SecretName): SecretRead {
  const file = join(folder, name, key);
  if (!NAME.test(name) || !NAME.test(key)) {
    return { kind: "faulty", file, problem: "is no name of a secret: letters, digits, -, _ and ." };
  }
  let text: string | null;
  try {
    text = files.read(file);
  } catch (error) {
    return { kind: "faulty", file, problem: `cannot be read: ${describeFileError(error)}` };
  }
  if (text === null) return { kind: "missing", file };
  if (text.length > MAX_SECRET_FILE_BYTES) {
    return { kind: "faulty", file, problem: `is larger than ${MAX_SECRET_FILE_BYTES} bytes` };
  }
  const value = text.replace(/\r?\n$/, "");
  return value === "" ? { kind: "faulty", file, problem: "is empty" } : { kind: "found", value, file };
}

/** The system's reason, without the text of the file. */
export function describeFileError(error: unknown): string {
  const code = errorCodeOf(error) ?? "unknown error";
  const known: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is no folder",
    ELOOP: "its links go in a circle",
  };
  return known[code] ?? code;
}
