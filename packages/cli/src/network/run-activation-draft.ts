/** `callsign network draft --activation`: the activation of the newest protocol version that the running SV knows, as a file. */
import { addDuration, HOUR, parseTime } from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import { draftOfActivation, formatDraft } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { SvSettings, SvSetup } from "../settings/setups.ts";
import { describeActivation } from "./describe-draft.ts";
import { writeNew } from "./founding-files.ts";
import { askNetwork, checkActivation, getIdentity } from "./running-network.ts";

/** The time in which SVs sign. The ledger takes no entry that may come more than a day later. */
const SIGNING_TIME = 23n * HOUR;

/** Resolves with the exit code. */
export function runActivationDraft(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { to }: { readonly to: string },
): Promise<number> {
  return explaining("callsign network draft", terminal, async () => {
    const running = await askNetwork(setup, host);
    const { name } = setup.svs[0] as SvSettings;
    const now = parseTime(running.now);
    if (!now.ok) throw new CannotStart(`the SV's time is malformed: ${running.now}`);
    const draft = draftOfActivation({
      network: running.network,
      member: getIdentity(name, setup, host).id,
      submissionId: host.randomness.uuid(),
      maxRecordTime: addDuration(now.value, SIGNING_TIME),
      version: BigInt(Math.max(...running.programVersions)),
    });
    checkActivation(draft, running);
    writeNew(to, formatDraft(draft), host);
    terminal.write(
      `${describeActivation(draft)}The draft is in ${to}. Every SV runs callsign network sign ${to} --to <file> while it works; ` +
        "callsign network activate takes the draft and the signatures.\n",
    );
  });
}
