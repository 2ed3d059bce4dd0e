/** A host on which work ends at a point: before the nth time that a file is opened, written, moved or removed. */
import { basename } from "node:path";
import { type Host, systemHost } from "@callsign/node";

const POINTS = ["write", "openRead", "openWrite", "makeFolder", "remove", "move", "openDatabase"] as const;

export function stoppedHost(at: number, stop: (point: string) => void): Host {
  let count = 0;
  const files: Record<string, unknown> = { ...systemHost.files };
  for (const name of POINTS) {
    const work = systemHost.files[name] as (...given: readonly unknown[]) => unknown;
    files[name] = (...given: readonly unknown[]) => {
      count++;
      if (count === at) stop(`${name} ${basename(String(given[0]))}`);
      return work(...given);
    };
  }
  // The work may end between two of the moves.
  const { move } = files as unknown as Host["files"];
  const moveAll: Host["files"]["moveAll"] = (moves) => {
    for (const { from, to } of moves) move(from, to);
  };
  return { ...systemHost, files: { ...(files as unknown as Host["files"]), moveAll } };
}
