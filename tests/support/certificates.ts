/** Authorities and certificates for tests of TLS, as PEM texts. Keys are P-256 in PKCS#8. */
import "./reflect-metadata.ts";
import { createPrivateKey, randomBytes, webcrypto } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  type Extension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const KEYS = { name: "ECDSA", namedCurve: "P-256" };
const SIGNING = { name: "ECDSA", hash: "SHA-256" };
const DAY = 86_400_000;

export interface CertificateOptions {
  /** Host names and addresses; `localhost` and `127.0.0.1` if omitted. */
  readonly names?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A certificate with its chain, and its key. */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
}

export class CertificateAuthority implements CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
  readonly #signer: X509Certificate;
  readonly #key: webcrypto.CryptoKey;

  private constructor(signer: X509Certificate, key: webcrypto.CryptoKey, privateKey: string) {
    this.#signer = signer;
    this.#key = key;
    this.certificate = `${signer.toString("pem")}\n`;
    this.privateKey = privateKey;
  }

  static async create(name = "Test authority"): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const extensions = [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ];
    const signer = await sign({
      subject: name,
      issuer: name,
      key: keys.publicKey,
      by: keys.privateKey,
      extensions,
    });
    return new CertificateAuthority(signer, keys.privateKey, await pkcs8(keys.privateKey));
  }

  /** For servers and clients alike. */
  async issue(subject: string, options: CertificateOptions = {}): Promise<CertificatePair> {
    const { names = ["localhost", "127.0.0.1"], ...dates } = options;
    const keys = await newKeys();
    const alternatives = names.map(
      (value): JsonGeneralName => ({ type: isAddress(value) ? "ip" : "dns", value }),
    );
    const issued = await sign({
      ...dates,
      subject,
      issuer: this.#signer.subject.replace(/^CN=/, ""),
      key: keys.publicKey,
      by: this.#key,
      extensions: [new SubjectAlternativeNameExtension(alternatives)],
    });
    return { certificate: `${issued.toString("pem")}\n`, privateKey: await pkcs8(keys.privateKey) };
  }
}

/** The same key as OpenSSL wrote it before PKCS#8. */
export function asSec1(privateKey: string): string {
  return createPrivateKey(privateKey).export({ type: "sec1", format: "pem" }).toString();
}

export function encrypted(privateKey: string, passphrase: string): string {
  const options = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase } as const;
  return createPrivateKey(privateKey).export(options).toString();
}

/** Writes the pair into a folder as a Kubernetes secret has it; returns the paths. */
export function writeCertificate(folder: string, pair: CertificatePair, name = "tls") {
  const [certChainFile, privateKeyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(certChainFile, pair.certificate);
  writeFileSync(privateKeyFile, pair.privateKey, { mode: 0o600 });
  return { certChainFile, privateKeyFile };
}

interface Unsigned extends Pick<CertificateOptions, "notBefore" | "notAfter"> {
  readonly subject: string;
  readonly issuer: string;
  readonly key: webcrypto.CryptoKey;
  readonly by: webcrypto.CryptoKey;
  readonly extensions: Extension[];
}

function sign(unsigned: Unsigned): Promise<X509Certificate> {
  const { subject, issuer, key, by, extensions } = unsigned;
  const parts = {
    serialNumber: `01${randomBytes(8).toString("hex")}`,
    subject: `CN=${subject}`,
    issuer: `CN=${issuer}`,
    notBefore: unsigned.notBefore ?? new Date(Date.now() - DAY),
    notAfter: unsigned.notAfter ?? new Date(Date.now() + 30 * DAY),
    publicKey: key,
    signingKey: by,
    signingAlgorithm: SIGNING,
    extensions,
  };
  return X509CertificateGenerator.create(parts);
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEYS, true, ["sign", "verify"]);
}

async function pkcs8(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" })
    .export({ type: "pkcs8", format: "pem" })
    .toString();
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(":");
}
