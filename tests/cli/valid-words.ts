/** A valid line of words for a command that speaks to a network. */
import { NETWORK_COMMANDS } from "../../packages/cli/src/commands/network-commands.ts";

const GIVEN: Readonly<Record<string, readonly string[]>> = {
  ...{
    misbehave: ["1", "lie"],
    "clock forward": ["1d"],
    "auto-renewal": ["alice", "on"],
    primary: ["alice"],
  },
  ...{ whois: ["a::1220"], tap: ["1"], send: ["1", "alice", "--yes"] },
};

export function validWordsFor(name: string): readonly string[] {
  const [least] = NETWORK_COMMANDS.get(name)?.words ?? [0];
  return [...name.split(" "), ...(GIVEN[name] ?? ["alice"].slice(0, least))];
}
