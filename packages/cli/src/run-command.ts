/** The subcommands of `callsign`. Resolves with the exit code, when the command has ended. */
const USAGE = `Usage: callsign <command>
  --help  this text
`;

export interface Terminal {
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [command] = given;
  if (command === undefined || command === "--help" || command === "-h" || command === "help") {
    terminal.write(USAGE);
    return command === undefined ? 2 : 0;
  }
  terminal.complain(`callsign has no command ${command}.\n${USAGE}`);
  return 2;
}
