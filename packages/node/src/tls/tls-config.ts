/** TLS of a port and of outgoing calls, by files that may be renewed while the process runs. */

/** A certificate with its chain, and its private key: PEM, the key in PKCS#8. */
export interface CertificateFiles {
  readonly certChainFile: string;
  readonly privateKeyFile: string;
}

export interface TlsServerConfig extends CertificateFiles {
  /** The authorities of client certificates. */
  readonly trustCollectionFile?: string;
  readonly clientAuth?: ClientAuth;
  readonly minimumProtocolVersion?: TlsVersion;
}

export type TlsVersion = "TLSv1.2" | "TLSv1.3";

/** `optional`: a client that shows a certificate shows a valid one. */
export type ClientAuth =
  | { readonly type: "none" | "optional" }
  /** The certificate that the process itself shows to its own port. */
  | { readonly type: "require"; readonly adminClient?: CertificateFiles };

export interface TlsClientConfig {
  /** The authorities of servers; the machine's own if omitted. */
  readonly trustCollectionFile?: string;
  /** The certificate for servers that ask for one. */
  readonly certificate?: CertificateFiles;
}
