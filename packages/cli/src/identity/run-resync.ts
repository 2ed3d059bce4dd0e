/** `callsign store resync`: a participant gives its history up, and goes on from the present state of its parties. */
import { createLog } from "@callsign/node";
import { giveUpHistory } from "@callsign/participant";
import { describePlace, refuseRunning } from "../backup/store-place.ts";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { participantRole } from "../run/run-participant.ts";
import type { ParticipantSetup } from "../settings/setups.ts";

export function runResync(
  setup: ParticipantSetup,
  { applies, terminal, host }: Surroundings & { readonly applies: boolean },
): Promise<number> {
  return explaining("the participant was not prepared", terminal, async () => {
    const role = participantRole(setup);
    await refuseRunning(role, host);
    const { offset } = await giveUpHistory(setup.config, { host, log: createLog(setup.log), applies });
    const place = describePlace(role);
    terminal.write(
      applies
        ? `${place} has no history any more: it ended at offset ${offset}\n` +
            "  The next start loads the active contracts of its parties from the SVs, and goes on from there\n" +
            "  Users, rights, identity providers and settings are as they were\n"
        : `${place} has history up to offset ${offset}. Nothing is changed\n` +
            "  With --yes all of it is given up: updates, completions and archived contracts. The next start loads the active\n" +
            "  contracts of its parties from the SVs, and goes on from there\n",
    );
  });
}
