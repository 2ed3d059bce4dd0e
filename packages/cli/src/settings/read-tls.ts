/** The TLS block of a port. */
import type {
  CertificateFiles,
  ClientAuth,
  TlsClientConfig,
  TlsServerConfig,
  TlsVersion,
} from "@callsign/node";
import type { KeyReader } from "./key-reader.ts";

/** Undefined if the port speaks plain HTTP. */
export function readTls(reader: KeyReader, port: string): TlsServerConfig | undefined {
  const at = (name: string) => `callsign.tls.${port}.${name}`;
  if (reader.names(`callsign.tls.${port}`).length === 0) return undefined;
  const certificate = readCertificate(reader, `callsign.tls.${port}`);
  const trustCollectionFile = reader.text(at("trustCollectionFile"));
  const type = reader.text(at("clientAuth.type")) ?? "none";
  if (certificate === undefined) {
    reader.require(at("certChainFile"), "Give the port's certificate, or remove the block for plain HTTP");
    return undefined;
  }
  if (type !== "none" && trustCollectionFile === undefined) {
    reader.require(
      at("trustCollectionFile"),
      "Give the authorities by which client certificates are checked",
    );
  }
  const version = reader.text(at("minimumServerProtocolVersion"));
  return {
    ...certificate,
    ...(trustCollectionFile === undefined ? {} : { trustCollectionFile }),
    clientAuth: readClientAuth(reader, type, at("clientAuth.adminClient")),
    ...(version === undefined ? {} : { minimumProtocolVersion: version as TlsVersion }),
  };
}

function readClientAuth(reader: KeyReader, type: string, path: string): ClientAuth {
  const adminClient = readCertificate(reader, path);
  if (type !== "require") return { type: type === "optional" ? "optional" : "none" };
  return { type: "require", ...(adminClient === undefined ? {} : { adminClient }) };
}

/** TLS of outgoing connections; undefined if no file is given. */
export function readClientTls(reader: KeyReader, path: string): TlsClientConfig | undefined {
  const certificate = readCertificate(reader, path);
  const trustCollectionFile = reader.text(`${path}.trustCollectionFile`);
  if (certificate === undefined && trustCollectionFile === undefined) return undefined;
  return {
    ...(trustCollectionFile === undefined ? {} : { trustCollectionFile }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

/** A certificate and its key are given together or not at all. */
function readCertificate(reader: KeyReader, path: string): CertificateFiles | undefined {
  const [cert, key] = [`${path}.certChainFile`, `${path}.privateKeyFile`];
  const [certChainFile, privateKeyFile] = [reader.text(cert), reader.text(key)];
  if (certChainFile !== undefined && privateKeyFile !== undefined) return { certChainFile, privateKeyFile };
  if (certChainFile !== undefined) reader.require(key, `Give the private key of ${cert}`);
  if (privateKeyFile !== undefined) reader.require(cert, `Give the certificate of ${key}`);
  return undefined;
}
