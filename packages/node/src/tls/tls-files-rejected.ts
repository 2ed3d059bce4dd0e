/** A file of a TLS configuration that cannot be used, under the key that names it. */
export interface TlsFinding {
  readonly key: TlsFileKey;
  /** Null where the key is missing. */
  readonly file: string | null;
  /** A text that says what is wrong and what to do. It has no part of the file's text. */
  readonly reason: string;
}

export type TlsFileKey =
  | "cert-chain-file"
  | "private-key-file"
  | "trust-collection-file"
  | "client-auth.admin-client.cert-chain-file"
  | "client-auth.admin-client.private-key-file";

/** The error with all findings; its message has a line for each. */
export class TlsFilesRejected extends Error {
  override readonly name = "TlsFilesRejected";
  readonly findings: readonly TlsFinding[];

  constructor(findings: readonly TlsFinding[]) {
    super(findings.map(formatFinding).join("\n"));
    this.findings = findings;
  }
}

function formatFinding({ key, file, reason }: TlsFinding): string {
  return file === null ? `${key}: ${reason}` : `${key} ${file} ${reason}`;
}
