/** `callsign identity show`: the public side of the SVs' identities, which are made if there are none. */
import { join } from "node:path";
import { type KeptIdentity, loadMemberIdentity } from "@callsign/node";
import { svPartyOf } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { SvSettings, SvSetup } from "../settings/setups.ts";
import { cardOf, formatFile } from "./founding-files.ts";

interface SvWithIdentity {
  readonly sv: SvSettings;
  readonly identity: KeptIdentity;
}

/** With `json` the cards that `network draft` takes. */
export function showIdentities(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { json }: { readonly json: boolean },
): Promise<number> {
  return explaining("the identities cannot be shown", terminal, async () => {
    const all = setup.svs.map((sv): SvWithIdentity => {
      const identity = loadMemberIdentity(join(setup.dataFolder, sv.name), sv.name, host);
      return { sv, identity };
    });
    if (json) terminal.write(formatFile(all.map(({ sv, identity }) => cardOf(sv, identity))));
    else for (const each of all) terminal.write(describe(each));
  });
}

function describe({ sv, identity }: SvWithIdentity): string {
  const facts = {
    member: identity.id,
    party: svPartyOf({ identity }),
    "namespace key": identity.namespaceKey.publicKey,
    "signing key": identity.signingKey.publicKey,
  };
  const lines = Object.entries(facts).map(([what, value]) => `  ${what}: ${value}\n`);
  return `${sv.name}\n${lines.join("")}`;
}
