/** Checks of single PEM files: certificates and private keys. A fault is a text that follows the file's name. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

/** An upper bound of files that are read: chains and collections have a few kilobytes. */
const MAX_CHARACTERS = 4_000_000;

/** The certificates of a file in their order; at least one. */
export function parseCertificates(text: string): Checked<readonly [X509Certificate, ...X509Certificate[]]> {
  const empty = findEmpty(text);
  if (empty !== null) return fault(empty);
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) {
    if (text.includes("PRIVATE KEY-----"))
      return fault("holds a private key where a certificate is needed: are the two files swapped?");
    return fault(
      "holds no certificate in PEM (-----BEGIN CERTIFICATE-----). Convert DER with: openssl x509 -inform der -in FILE -out FILE.pem",
    );
  }
  const certificates: X509Certificate[] = [];
  for (const block of blocks) {
    try {
      certificates.push(new X509Certificate(block));
    } catch {
      return fault(`is damaged: certificate ${certificates.length + 1} in it is no X.509 certificate`);
    }
  }
  return { ok: true, value: certificates as [X509Certificate, ...X509Certificate[]] };
}

/** An unencrypted key in PKCS#8, as Canton takes it. */
export function parsePrivateKey(text: string): Checked<KeyObject> {
  const empty = findEmpty(text);
  if (empty !== null) return fault(empty);
  const form = /-----BEGIN ([A-Z0-9 ]*?) ?PRIVATE KEY-----/.exec(text)?.[1];
  if (form === undefined) {
    return text.includes("-----BEGIN CERTIFICATE-----")
      ? fault("holds a certificate where a private key is needed: are the two files swapped?")
      : fault("holds no private key in PEM (-----BEGIN PRIVATE KEY-----)");
  }
  const convert = "openssl pkcs8 -topk8 -nocrypt -in FILE -out FILE.pem";
  switch (form) {
    case "":
      break;
    case "ENCRYPTED":
      return fault(
        "is encrypted, and there is no key for its passphrase. Decrypt it with: openssl pkey -in FILE -out FILE.pem",
      );
    case "RSA":
      return fault(`is in PKCS#1, not in PKCS#8. Convert it with: ${convert}`);
    case "EC":
      return fault(`is in SEC1, not in PKCS#8. Convert it with: ${convert}`);
    default:
      return fault(`is a key of the form "${form}", not in PKCS#8. Convert it with: ${convert}`);
  }
  try {
    return { ok: true, value: createPrivateKey(text) };
  } catch {
    return fault("is damaged: its private key cannot be decoded");
  }
}

/** Null if the certificate is valid at this time. */
export function findDateFault(
  { subject, validFromDate, validToDate }: X509Certificate,
  nowMilliseconds: number,
): string | null {
  const name = subject.replaceAll("\n", ", ");
  if (nowMilliseconds > validToDate.getTime())
    return `has expired: ${name} was valid until ${validToDate.toISOString()}. Renew it`;
  if (nowMilliseconds < validFromDate.getTime())
    return `is not yet valid: ${name} is valid from ${validFromDate.toISOString()}. Is this machine's clock right?`;
  return null;
}

function findEmpty(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return `is too large: ${text.length} characters`;
  return text.trim() === "" ? "is empty" : null;
}

function fault(reason: string): { readonly ok: false; readonly fault: string } {
  return { ok: false, fault: reason };
}
