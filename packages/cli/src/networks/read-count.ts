import { CommandFailure, EXIT } from "../output/exit-code.ts";
import type { CommandCall } from "./network-command.ts";

const MOST = 100_000;

/** A positive number of an option; undefined if it is not given. */
export function readCount(option: string, { own }: CommandCall): number | undefined {
  const text = own[option];
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count <= MOST) return count;
  throw new CommandFailure(EXIT.usage, `--${option} is a whole number from 1 to ${MOST}, not ${text}`);
}
