/** The public interface of @callsign/cli. */
export { runCommand } from "./run-command.ts";
