/**
 * A log file that never stops its process: lines that cannot be written, as on a full disk, are counted and left out.
 * Each line is written before the call returns, so that a process that ends early has written all of its lines.
 */
import { openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFile, makePrivateFolder } from "../host/private-files.ts";

export interface LogFile {
  readonly write: (line: string) => void;
}

export function openLogFile(path: string): LogFile {
  makePrivateFolder(dirname(path));
  makePrivateFile(path);
  return logTo(openSync(path, "a"), writeSync);
}

/** Writes some of the bytes and returns their number. */
type WriteSome = (file: number, bytes: Uint8Array) => number;

export function logTo(file: number, writeSome: WriteSome): LogFile {
  let lost = 0;
  let isLineBegun = false;
  const writeAll = (text: string): void => {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      written += writeSome(file, bytes.subarray(written));
      isLineBegun = written < bytes.length;
    }
  };
  return {
    write: (line) => {
      try {
        // The start of a line that did not fit stays in the file, on a line of its own.
        if (isLineBegun) writeAll("\n");
        if (lost > 0) writeAll(`{"level":40,"lost":${lost},"msg":"log lines could not be written"}\n`);
        lost = 0;
        writeAll(line);
      } catch {
        lost++;
      }
    },
  };
}
