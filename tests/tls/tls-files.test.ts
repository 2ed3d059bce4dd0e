import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { readTlsClient, readTlsServer } from "../../packages/node/src/tls/read-tls.ts";
import { RenewableFiles } from "../../packages/node/src/tls/renewable-files.ts";
import type { TlsServerConfig } from "../../packages/node/src/tls/tls-config.ts";
import { TlsFilesRejected } from "../../packages/node/src/tls/tls-files-rejected.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  asSec1,
  CertificateAuthority,
  type CertificatePair,
  encrypted,
  writeCertificate,
} from "../support/certificates.ts";

const DAY = 86_400_000;
let authority: CertificateAuthority;
let pair: CertificatePair;
let other: CertificatePair;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  [pair, other] = await Promise.all([authority.issue("node"), authority.issue("other")]);
});

/** The findings, as `key: reason` with the folder left out. */
function findingsOf(config: TlsServerConfig, folder: string): readonly string[] {
  try {
    readTlsServer(config, systemHost);
    return [];
  } catch (error) {
    if (!(error instanceof TlsFilesRejected)) throw error;
    return error.findings.map(({ key, reason }) => `${key} ${reason.replaceAll(`${folder}/`, "")}`);
  }
}

/** The findings about these texts. */
function judge({ certificate, privateKey }: CertificatePair): readonly string[] {
  const folder = temporaryFolder();
  return findingsOf(writeCertificate(folder, { certificate, privateKey }), folder);
}

test("a certificate with its key is read as it is", () => {
  const files = writeCertificate(temporaryFolder(), pair);
  expect(readTlsServer(files, systemHost)).toEqual({ cert: pair.certificate, key: pair.privateKey });
});

test("a file that is missing, empty, a folder or unreadable is named with the reason", () => {
  const folder = temporaryFolder();
  const config = { certChainFile: join(folder, "no.crt"), privateKeyFile: join(folder, "empty.key") };
  writeFileSync(config.privateKeyFile, "\n");
  expect(findingsOf(config, folder)).toEqual(["cert-chain-file does not exist", "private-key-file is empty"]);
  mkdirSync(config.certChainFile);
  expect(findingsOf(config, folder)[0]).toBe("cert-chain-file cannot be read: it is a folder");
  const unreadable = {
    files: {
      read: (): string => {
        throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      },
    },
    clock: systemHost.clock,
  };
  expect(() => readTlsClient({ trustCollectionFile: "/secrets/ca.crt" }, unreadable)).toThrow(
    "trust-collection-file /secrets/ca.crt cannot be read: this user may not read it (EACCES)",
  );
});

test("a key in another form than PKCS#8 comes with the command that converts it", () => {
  const [sec1] = judge({ ...pair, privateKey: asSec1(pair.privateKey) });
  expect(sec1).toBe(
    "private-key-file is in SEC1, not in PKCS#8. Convert it with: openssl pkcs8 -topk8 -nocrypt -in tls.key -out tls.key.pem",
  );
  const [locked] = judge({ ...pair, privateKey: encrypted(pair.privateKey, "open sesame") });
  expect(locked).toMatch(/is encrypted.*openssl pkey -in tls\.key -out tls\.key\.pem/);
  const pkcs1 = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n";
  expect(judge({ ...pair, privateKey: pkcs1 })[0]).toMatch(/is in PKCS#1.*openssl pkcs8 -topk8/);
});

test("files that are swapped, damaged or no PEM are told apart", () => {
  const swapped = judge({ certificate: pair.privateKey, privateKey: pair.certificate });
  expect(swapped).toHaveLength(2);
  for (const finding of swapped) expect(finding).toContain("swapped?");
  const cut = pair.certificate.replace(/\n[A-Za-z0-9+/]{64}/, "");
  expect(judge({ ...pair, certificate: cut })[0]).toContain("damaged: certificate 1");
  expect(judge({ ...pair, certificate: "\u0030\u0082" })[0]).toContain("openssl x509 -inform der");
  const torn = pair.privateKey.replace(/\n[A-Za-z0-9+/]{64}/, "");
  expect(judge({ ...pair, privateKey: torn })[0]).toBe(
    "private-key-file is damaged: its private key cannot be decoded",
  );
});

test("a key that does not fit its certificate is told, and a chain in the wrong order", () => {
  expect(judge({ ...pair, privateKey: other.privateKey })).toEqual([
    "private-key-file does not fit the certificate of CN=node in tls.crt: renew both together",
  ]);
  expect(judge({ ...pair, certificate: authority.certificate + pair.certificate })).toEqual([
    "cert-chain-file has certificate 2 for the key: put that one first",
  ]);
});

test("certificates outside their dates are named, with all other findings", async () => {
  const past = await authority.issue("old", {
    notBefore: new Date(Date.now() - 2 * DAY),
    notAfter: new Date("2026-01-02T03:04:05Z"),
  });
  const future = await authority.issue("new", {
    notBefore: new Date("2100-01-01T00:00:00Z"),
    notAfter: new Date("2101-01-01T00:00:00Z"),
  });
  const folder = temporaryFolder();
  const trustCollectionFile = join(folder, "ca.crt");
  writeFileSync(trustCollectionFile, future.certificate);
  const config = {
    ...writeCertificate(folder, { ...past, privateKey: other.privateKey }),
    trustCollectionFile,
    clientAuth: {
      type: "require",
      adminClient: { certChainFile: join(folder, "admin.crt"), privateKeyFile: join(folder, "tls.key") },
    },
  } as const;
  expect(findingsOf(config, folder)).toEqual([
    "cert-chain-file has expired: CN=old was valid until 2026-01-02T03:04:05.000Z. Renew it",
    "private-key-file does not fit the certificate of CN=old in tls.crt: renew both together",
    "trust-collection-file is not yet valid: CN=new is valid from 2100-01-01T00:00:00.000Z. Is this machine's clock right?",
    "client-auth.admin-client.cert-chain-file does not exist",
  ]);
  // One valid authority is enough.
  writeFileSync(trustCollectionFile, future.certificate + authority.certificate);
  expect(readTlsClient({ trustCollectionFile }, systemHost).ca).toContain(authority.certificate);
});

test("required client certificates need authorities", () => {
  const folder = temporaryFolder();
  const config = { ...writeCertificate(folder, pair), clientAuth: { type: "require" } } as const;
  expect(findingsOf(config, folder)).toEqual([
    "trust-collection-file is needed with client-auth.type require",
  ]);
});

test("no finding shows a part of a key", () => {
  const secret = pair.privateKey.split("\n").slice(1, -2).join("");
  const torn = pair.privateKey.replace("\n", "\n=\n");
  const findings = [
    ...judge({ ...pair, privateKey: torn }),
    ...judge({ certificate: pair.privateKey, privateKey: asSec1(pair.privateKey) }),
  ].join();
  expect(findings).not.toBe("");
  for (let at = 0; at + 16 <= secret.length; at += 8)
    expect(findings).not.toContain(secret.slice(at, at + 16));
});

test("a renewal is taken, a bad one leaves the last good one and is told once", () => {
  const folder = temporaryFolder();
  const files = writeCertificate(folder, pair);
  const renewable = new RenewableFiles(() => readTlsServer(files, systemHost));
  expect(renewable.check()).toEqual({ kind: "unchanged" });
  writeCertificate(folder, { certificate: other.certificate, privateKey: pair.privateKey });
  // Half of a renewal: the key may follow.
  expect(renewable.check()).toEqual({ kind: "unchanged" });
  expect(renewable.problem).toBeNull();
  expect(renewable.check()).toMatchObject({
    kind: "rejected",
    problem: expect.stringContaining("does not fit"),
  });
  expect(renewable.problem).toContain("does not fit");
  expect(renewable.check()).toEqual({ kind: "unchanged" });
  expect(renewable.current.cert).toBe(pair.certificate);
  writeCertificate(folder, other);
  expect(renewable.check()).toEqual({
    kind: "renewed",
    value: { cert: other.certificate, key: other.privateKey },
  });
  expect(renewable.problem).toBeNull();
  expect(renewable.check()).toEqual({ kind: "unchanged" });
});
