/** The process's end of its control socket. */
import { controlApi } from "@callsign/api";
import type { Host } from "../host/host.ts";
import { startHttpServer } from "../http/http-server.ts";
import { type Handlers, mountApi, openToAll } from "../http/mount-api.ts";
import type { Log } from "../observability/log.ts";
import { CannotStart } from "../process/cannot-start.ts";
import { controlSocketIn, isRunning } from "./control-socket.ts";

/** A back-up may take long, and its caller waits for it. */
const CALL_MILLISECONDS = 24 * 3_600_000;
const MAX_CALLS = 10;

export type ControlHandlers = Handlers<typeof controlApi.endpoints, null>;

/**
 * Makes the data folder if it is missing, and replaces the socket of a process that was killed. Throws `CannotStart` if a
 * process runs on the folder. A folder that takes no socket does not keep the process from running: `null`.
 */
export async function startControlServer(
  folder: string,
  handlers: ControlHandlers,
  { host, log }: { readonly host: Host; readonly log: Log },
): Promise<{ readonly close: () => Promise<void> } | null> {
  if (await isRunning(folder, host))
    throw new CannotStart(
      `a process runs on the data folder ${folder} already: stop that one first, or give this one another folder`,
    );
  try {
    return await listen(folder, handlers, { host, log });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, "the control socket cannot be opened: commands do not reach this process");
    return null;
  }
}

async function listen(
  folder: string,
  handlers: ControlHandlers,
  { host, log }: { readonly host: Host; readonly log: Log },
) {
  const { files } = host;
  // The socket gets its name once it is private, in place of one that a killed process has left.
  const [path, fresh] = [controlSocketIn(folder), controlSocketIn(folder, ".new")];
  files.makeFolder(folder);
  files.remove(fresh);
  const server = await startHttpServer({
    ...{ host: "localhost", port: 0, socketPath: fresh, system: host, log },
    mounts: [mountApi(controlApi, { ...openToAll, handlers })],
    requestTimeoutMilliseconds: CALL_MILLISECONDS,
    maxCalls: MAX_CALLS,
  });
  files.makePrivate(fresh);
  files.move(fresh, path);
  return {
    close: async () => {
      files.remove(path);
      await server.close();
    },
  };
}
