/**
 * The control socket: a unix domain socket in a process's data folder, by which commands of the same user reach the
 * process while it runs. A user who may open it could read the node's keys as well, so it asks for no token.
 */
import { join, relative } from "node:path";
import {
  type Client,
  controlApi,
  createClient,
  findSpliceMessage,
  HttpError,
  TransportError,
} from "@callsign/api";
import { errorCodeOf } from "../host/error-code.ts";
import type { Host } from "../host/host.ts";

type ControlEndpoints = typeof controlApi.endpoints;

/** Systems cut longer paths of sockets, or refuse them: 104 bytes with the end mark are the least of all systems. */
const MAX_PATH_BYTES = 103;
const PING_MILLISECONDS = 5000;
/** Codes of a socket that is missing, or that a killed process has left. */
const GONE: readonly string[] = ["ENOENT", "ENOTDIR", "ECONNREFUSED", "ENOTSOCK"];

/** The process of that data folder does not run, or is another user's; or the folder's path is too long for a socket. */
export class ProcessUnreachable extends Error {
  override readonly name = "ProcessUnreachable";
}

/** The process answered with an error; the message is the process's own. */
export class ProcessRefused extends Error {
  override readonly name = "ProcessRefused";
}

/** `ending` makes room for a longer name beside it. Throws `ProcessUnreachable`. */
export function controlSocketIn(folder: string, ending = ""): string {
  const path = join(folder, `control.sock${ending}`);
  const shorter =
    [path, relative("", path)].sort((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b))[0] ?? path;
  if (Buffer.byteLength(shorter) <= MAX_PATH_BYTES) return shorter;
  throw new ProcessUnreachable(
    `the control socket ${path} would have a path of more than ${MAX_PATH_BYTES} bytes: ` +
      "give a data folder with a shorter path, or start the command in it",
  );
}

/** Calls the process of the data folder, and closes the connection. Throws `ProcessUnreachable` or `ProcessRefused`. */
export async function callProcess<T>(
  folder: string,
  call: (client: Client<ControlEndpoints>) => Promise<T>,
  { http, timers }: Pick<Host, "http" | "timers">,
): Promise<T> {
  const socketPath = controlSocketIn(folder);
  // Long calls are bounded by their callers.
  const connection = http.openClient({ socketPath, readTimeoutMilliseconds: 0 });
  try {
    const { fetch } = connection;
    return await call(createClient(controlApi, { baseUrl: "http://localhost", fetch, timers }));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404)
      throw new ProcessRefused(
        `the process on the data folder ${folder} is of an earlier release, which does not know this command: start this ` +
          "release there first",
        { cause: error },
      );
    if (error instanceof HttpError)
      throw new ProcessRefused(findSpliceMessage(error) ?? error.message, { cause: error });
    const code = error instanceof TransportError ? errorCodeOf(error.cause) : undefined;
    if (code !== undefined && GONE.includes(code))
      throw new ProcessUnreachable(`no process runs on the data folder ${folder}`, { cause: error });
    if (code !== "EACCES") throw error;
    throw new ProcessUnreachable(
      `the control socket ${socketPath} is another user's: run the command as that user`,
      { cause: error },
    );
  } finally {
    connection.close();
  }
}

/** True if a process answers, or has the socket open and is too busy to answer. */
export async function isRunning(folder: string, host: Pick<Host, "http" | "timers">): Promise<boolean> {
  const ask = (client: Client<ControlEndpoints>) =>
    client.getStatus({}, { timeoutMilliseconds: PING_MILLISECONDS });
  try {
    await callProcess(folder, ask, host);
    return true;
  } catch (error) {
    // Any other failure of the network is that of opening the socket.
    const isRefused = error instanceof TransportError && error.failure === "network";
    return !(isRefused || error instanceof ProcessUnreachable);
  }
}
