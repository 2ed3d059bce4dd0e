/** `callsign status`: asks the process that runs on the configuration's data folder. */
import { callProcess } from "@callsign/node";
import { explainError } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { Role } from "../run/role.ts";

const ANSWER_MILLISECONDS = 10_000;

/** Resolves with 0 if the process is ready, else with 1. */
export async function showStatus(
  { dataFolder }: Pick<Role, "dataFolder">,
  { terminal, host }: Surroundings,
): Promise<number> {
  try {
    const status = await callProcess(
      dataFolder,
      (client) => client.getStatus({}, { timeoutMilliseconds: ANSWER_MILLISECONDS }),
      host,
    );
    const { role, version, missing, addresses, position } = status;
    const facts = Object.entries({ ...addresses, ...position }).map(
      ([what, value]) => `  ${what}: ${value}\n`,
    );
    const state = missing === null ? "is ready" : `is not ready: ${missing}`;
    terminal.write(`callsign ${role} ${version} ${state}\n${facts.join("")}`);
    return status.ready ? 0 : 1;
  } catch (error) {
    terminal.complain(`${explainError(error)}\n`);
    return 1;
  }
}
