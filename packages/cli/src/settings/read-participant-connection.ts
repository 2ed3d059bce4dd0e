/** The way from a validator to its participant. */
import type { KeyReader } from "./key-reader.ts";
import { readClientTls } from "./read-tls.ts";
import type { ValidatorSettings } from "./setups.ts";

const LEDGER_PORT = 7575;
const TLS = "callsign.participantTls";

type Connection = Pick<ValidatorSettings, "participantUrl" | "participantAdminUrl" | "participantTls">;

export function readParticipantConnection(reader: KeyReader): Connection {
  const participantTls = readClientTls(reader, TLS);
  const isGiven = participantTls !== undefined;
  const isSecure = reader.flag(`${TLS}.enabled`) ?? isGiven;
  const address = reader.text("participantAddress") ?? "127.0.0.1";
  const participantUrl =
    reader.text("callsign.participantUrl") ?? `${isSecure ? "https" : "http"}://${address}:${LEDGER_PORT}`;
  const participantAdminUrl = reader.text("callsign.participantAdminUrl");
  if (isGiven && isSecure && participantUrl.startsWith("http:")) {
    reader.refuse(
      "callsign.participantUrl",
      `is plain http, and ${TLS} is given`,
      `Write https, or remove ${TLS}`,
    );
  }
  return {
    participantUrl,
    ...(participantAdminUrl === undefined ? {} : { participantAdminUrl }),
    ...(isSecure && isGiven ? { participantTls } : {}),
  };
}
