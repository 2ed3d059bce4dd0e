/** `callsign keys show` and `callsign keys rotate`: asks the process that runs on the configuration's data folder. */
import type { MemberKeys } from "@callsign/api";
import { callProcess } from "@callsign/node";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { Role } from "../run/role.ts";

const SHOW_MILLISECONDS = 30_000;
/** Entries of the former key may take a minute to end, and an SV's process has many members. */
const ROTATE_MILLISECONDS = 30 * 60_000;

type AskedRole = Pick<Role, "name" | "dataFolder">;

export function showKeys({ dataFolder }: AskedRole, { terminal, host }: Surroundings): Promise<number> {
  return explaining("the keys cannot be shown", terminal, async () => {
    const timeoutMilliseconds = SHOW_MILLISECONDS;
    const { members } = await callProcess(
      dataFolder,
      (client) => client.showKeys({}, { timeoutMilliseconds }),
      host,
    );
    for (const member of members) terminal.write(describeKeys(member));
  });
}

export function rotateKeys(
  { dataFolder }: AskedRole,
  { replaceUnknown, terminal, host }: Surroundings & { readonly replaceUnknown: boolean },
): Promise<number> {
  return explaining("the keys were not rotated", terminal, async () => {
    const timeoutMilliseconds = ROTATE_MILLISECONDS;
    const { members } = await callProcess(
      dataFolder,
      (client) => client.rotateKeys({ body: { replaceUnknown } }, { timeoutMilliseconds }),
      host,
    );
    for (const member of members) terminal.write(`Rotated: ${describeKeys(member)}`);
  });
}

function describeKeys({ member, namespace, signing, next, registered, serial }: MemberKeys): string {
  const facts = {
    "namespace key": namespace,
    "signing key": signing,
    ...(next === null ? {} : { "next key, of a rotation under way": next }),
    "registered with the network":
      registered === null ? "not yet" : `${registered.join(", ")} (serial ${serial})`,
  };
  const lines = Object.entries(facts).map(([what, value]) => `  ${what}: ${value}\n`);
  return `${member}\n${lines.join("")}`;
}
