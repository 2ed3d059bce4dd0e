/** The log of a worker. Its lines go to the process that started it, which writes the log alone. */
import type { LineLevel, Log } from "../observability/log.ts";
import type { FromWorker } from "./worker-message.ts";

export interface WorkerLogParts {
  /** The levels that are written. */
  readonly levels: readonly LineLevel[];
  readonly send: (message: FromWorker) => void;
}

export function createWorkerLog(parts: WorkerLogParts, own: Readonly<Record<string, string>> = {}): Log {
  const { levels, send } = parts;
  const isLevelEnabled = (level: LineLevel) => levels.includes(level);
  const write = (level: LineLevel) => (fields: object, message: string) => {
    if (isLevelEnabled(level)) send({ kind: "log", level, fields: { ...own, ...fields }, message });
  };
  return {
    ...{ debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    isLevelEnabled,
    child: (fields) => createWorkerLog(parts, { ...own, ...fields }),
  };
}
