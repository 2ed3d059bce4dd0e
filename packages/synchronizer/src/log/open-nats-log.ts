import type { connectNatsLog } from "./nats-log.ts";

/** Opens the log on NATS JetStream. Its modules are loaded here: a process with another log starts without them. */
export async function openNatsLog(
  ...given: Parameters<typeof connectNatsLog>
): ReturnType<typeof connectNatsLog> {
  const { connectNatsLog: connect } = await import("./nats-log.ts");
  return connect(...given);
}
