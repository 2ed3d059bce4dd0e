/** Failures of a TLS handshake, by the codes of OpenSSL and Node. */
import type { ClientTls } from "./client-tls.ts";

interface FailedHandshake {
  readonly code: string | undefined;
  readonly target: URL;
  readonly tls: ClientTls;
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_SIGNATURE_FAILURE"],
  ...["CERT_UNTRUSTED", "CERT_CHAIN_TOO_LONG", "INVALID_CA"],
]);
/** Alerts by which a server refuses the client's certificate, or asks for one. */
const CERTIFICATE_ALERT =
  /^ERR_SSL_\S+_ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR|HANDSHAKE_FAILURE)$/;
const NO_COMMON_VERSION = /^ERR_SSL_(?:\S+_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/;
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;

/** The failure in plain words; undefined if it is none of TLS. */
export function explainTlsFailure(error: Error, failed: FailedHandshake): string | undefined {
  const { target, tls } = failed;
  const text = target.protocol === "http:" ? explainPlain(error, failed) : explain(error, failed);
  if (text === undefined || tls.problem === null) return text;
  return `${text}. Renewed files are not in use: ${tls.problem}`;
}

function explain(error: Error, { code = "", target, tls }: FailedHandshake): string | undefined {
  const { trustCollectionFile, certificate } = tls.config;
  const certificateOf = `the certificate of ${target.host}`;
  if (UNTRUSTED.has(code)) {
    const authorities =
      trustCollectionFile === undefined
        ? "no authority of this machine"
        : `no authority in ${trustCollectionFile}`;
    return `${certificateOf} is not trusted: ${authorities} has signed it (${code})`;
  }
  if (code === "CERT_HAS_EXPIRED") return `${certificateOf}, or one of its chain, has expired`;
  if (code === "CERT_NOT_YET_VALID")
    return `${certificateOf} is not valid yet: is this machine's clock right?`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `${certificateOf} is for other names: ${namesOf(error)}. Call it by one of these, or have it issued anew`;
  const shown = certificate?.certChainFile;
  if (CERTIFICATE_ALERT.test(code)) {
    return shown === undefined
      ? `${target.host} demands a client certificate, and none is configured (${code})`
      : `${target.host} does not accept the client certificate ${shown} (${code})`;
  }
  if (NO_COMMON_VERSION.test(code))
    return `${target.host} has no version of TLS in common with this node (${code})`;
  if (NO_TLS.test(code)) return `${target.host} does not speak TLS: is it an http:// URL? (${code})`;
  if (!isClosedUnanswered(error, code)) return undefined;
  // Some servers send no alert to a client whose certificate they refuse.
  const guess =
    shown === undefined
      ? "demand a client certificate, and none is configured"
      : `not accept the client certificate ${shown}`;
  return `${target.host} closed the connection without an answer: it may ${guess} (${error.message})`;
}

function isClosedUnanswered(error: Error, code: string): boolean {
  if (code === "ECONNRESET") return error.message.includes("before secure TLS connection");
  const { socket } = error as { readonly socket?: { readonly bytesRead?: number } | null };
  return code === "UND_ERR_SOCKET" && socket?.bytesRead === 0;
}

/** A server that expects TLS answers a plain request with an alert, which is no HTTP, or not at all. */
function explainPlain(error: Error, { code = "", target }: FailedHandshake): string | undefined {
  if (code.startsWith("HPE_"))
    return `${target.host} does not answer with HTTP: is it an https:// URL? (${code})`;
  if (!isClosedUnanswered(error, code)) return undefined;
  return `${target.host} closed the connection without an answer; if it expects TLS, its URL begins with https:// (${error.message})`;
}

function namesOf(error: Error): string {
  const { cert } = error as { readonly cert?: { readonly subjectaltname?: string } };
  return cert?.subjectaltname?.slice(0, 300) ?? "none";
}
