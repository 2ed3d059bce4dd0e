/** What lies on this machine or beside it: files, folders, key sets, the database. */
import { join } from "node:path";
import {
  examinePostgres,
  type Host,
  type Listening,
  type PostgresConfig,
  readTlsServer,
} from "@callsign/node";
import { type Examination, examine, fault, fine } from "./examination.ts";

export async function examineTls(ports: readonly (Listening | undefined | null)[], host: Host) {
  const looks = ports.flatMap((listening) => {
    const tls = listening?.tls;
    if (tls === undefined) return [];
    const what = `TLS of port ${listening?.port}: ${tls.certChainFile}`;
    return [
      examine({ what, fix: "Give other files, or renew these", host }, async () => {
        readTlsServer(tls, host);
        return [fine(what, "certificate and key fit, and are valid now")];
      }),
    ];
  });
  return (await Promise.all(looks)).flat();
}

export function examineFolder(folder: string, host: Host): Promise<readonly Examination[]> {
  const what = `data folder ${folder}`;
  const fix = "Give a folder that this user may write to in callsign.dataFolder, on a disk with room";
  return examine({ what, fix, host }, async () => {
    const trial = join(folder, ".doctor");
    host.files.makeFolder(folder);
    host.files.write(trial, "x".repeat(1024));
    host.files.remove(trial);
    return [fine(what, "can be written")];
  });
}

/** The algorithms that tokens are signed with. */
const ALGORITHMS = ["RS256", "ES256"];

export function examineKeySet(jwksUrl: string, host: Host): Promise<readonly Examination[]> {
  const what = `auth.jwksUrl ${jwksUrl}`;
  const fix = "Give the key set of your OpenID provider, the jwks_uri of its configuration";
  return examine({ what, fix, host }, async () => {
    const connections = host.http.openClient();
    try {
      const answer = await connections.fetch(jwksUrl, {});
      if (answer.status !== 200) return [fault(what, `answered ${answer.status}`, fix)];
      const { keys } = JSON.parse(await answer.text()) as {
        readonly keys?: readonly Record<string, unknown>[];
      };
      const usable = (keys ?? []).filter(({ kid, alg }) => typeof kid === "string" && isUsable(alg));
      if (usable.length > 0) return [fine(what, `${usable.length} of ${keys?.length} keys can be used`)];
      return [fault(what, `it holds no key with a key id for ${ALGORITHMS.join(" or ")}`, fix)];
    } finally {
      connections.close();
    }
  });
}

function isUsable(algorithm: unknown): boolean {
  return algorithm === undefined || ALGORITHMS.includes(String(algorithm));
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
