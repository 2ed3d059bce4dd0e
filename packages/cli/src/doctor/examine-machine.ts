/** Files and folders of this machine, the key set and the database. */
import { dirname, join, resolve } from "node:path";
import {
  errorCodeOf,
  examinePostgres,
  fetchText,
  type Host,
  type Listening,
  type PostgresConfig,
  parseKeySet,
  readTlsClient,
  readTlsServer,
  type TlsClientConfig,
} from "@callsign/node";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { EXAMINATION_MILLISECONDS, MAX_KEY_SET_BYTES } from "./limits.ts";

const TLS_FIX = "Give other files, or renew these";

export async function examineTls(ports: readonly (Listening | undefined | null)[], host: Host) {
  const looks = ports.flatMap((listening) => {
    const tls = listening?.tls;
    if (tls === undefined) return [];
    const what = `TLS of port ${listening?.port}: ${tls.certChainFile}`;
    return [
      examine({ what, fix: TLS_FIX, host }, async () => {
        readTlsServer(tls, host);
        return [fine(what, "certificate and key fit, and are valid now")];
      }),
    ];
  });
  return (await Promise.all(looks)).flat();
}

/** Empty if there are no files. */
export function examineClientTls(
  tls: TlsClientConfig | undefined,
  host: Host,
): Promise<readonly Examination[]> {
  if (tls === undefined) return Promise.resolve([]);
  const what = "callsign.participantTls";
  return examine({ what, fix: TLS_FIX, host }, async () => {
    readTlsClient(tls, host);
    return [fine(what, "its files can be used")];
  });
}

/** A missing folder is not made: the folder above it is examined instead. */
export function examineFolder(folder: string, host: Host): Promise<readonly Examination[]> {
  const what = `data folder ${folder}`;
  const fix = "Give a folder that this user may write to in callsign.dataFolder, on a disk with room";
  return examine({ what, fix, host }, async () => {
    const place = findFolder(resolve(folder), host);
    if (place === null) return [fault(what, "a file is in its place", fix)];
    const trial = join(place, `.callsign-doctor-${host.randomness.uuid()}`);
    try {
      host.files.write(trial, "x".repeat(1024));
    } finally {
      for (const left of [trial, `${trial}.new`]) host.files.remove(left);
    }
    return [
      fine(
        what,
        place === resolve(folder) ? "can be written" : `will be made at the first start, in ${place}`,
      ),
    ];
  });
}

/** The folder, or the nearest one above it that is there; null if it is no folder. */
function findFolder(path: string, host: Host): string | null {
  try {
    if (host.files.read(path) !== null) return null;
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === "EISDIR") return path;
    if (code === "ENOTDIR") return null;
    throw error;
  }
  return dirname(path) === path ? null : findFolder(dirname(path), host);
}

export function examineKeySet(jwksUrl: string, host: Host): Promise<readonly Examination[]> {
  const what = `auth.jwksUrl ${jwksUrl}`;
  const fix = "Give the key set of your OpenID provider, the jwks_uri of its configuration";
  return examine({ what, fix, host }, async () => {
    const connections = host.http.openClient();
    try {
      const limits = {
        ...{ host, milliseconds: EXAMINATION_MILLISECONDS, maxBytes: MAX_KEY_SET_BYTES },
        stopping: undefined,
      };
      const { status, text } = await fetchText(connections, jwksUrl, {}, limits);
      if (status !== 200) return [fault(what, `answers with status ${status}`, fix)];
      const keys = parseKeySet(text);
      if (keys === undefined) return [fault(what, "its answer is no key set", fix)];
      if (keys.size > 0) return [fine(what, `${keys.size} of its keys can check tokens`)];
      return [fault(what, "it holds no public key with a key id for RS256, ES256 or ES512", fix)];
    } finally {
      connections.close();
    }
  });
}

export function examineDatabase(
  config: PostgresConfig | undefined,
  store: string,
  host: Host,
): Promise<readonly Examination[]> {
  if (config === undefined) return Promise.resolve([]);
  const what = `database ${config.database} at ${config.host}:${config.port}`;
  const fix =
    "Look at persistence.* and the secret with the password, and see that the server runs and may be reached";
  return examine({ what, fix, host }, async () => [
    fine(what, await examinePostgres(config, { host, store })),
  ]);
}
