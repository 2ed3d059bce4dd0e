/** `callsign identity export` and `callsign identity import`: a participant's keys as a file, and back. */
import { parseJsonText } from "@callsign/api";
import {
  CannotStart,
  createLog,
  type Host,
  identityOf,
  loadPostgresArchives,
  type PrivateIdentity,
  parseIdentity,
  readIdentityFile,
} from "@callsign/node";
import { importIdentity } from "@callsign/participant";
import { describePlace, refuseRunning } from "../backup/store-place.ts";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import { participantRole } from "../run/run-participant.ts";
import type { ParticipantSetup } from "../settings/setups.ts";

/** Exports the identity, also while the participant runs. */
export function exportIdentity(
  setup: ParticipantSetup,
  to: string,
  { terminal, host }: Surroundings,
): Promise<number> {
  return explaining("the identity was not exported", terminal, async () => {
    if (host.files.read(to) !== null)
      throw new CannotStart(`${to} is there already: give the name of a new file`);
    const identity = await findIdentity(setup, host);
    host.files.write(to, JSON.stringify(identity));
    terminal.write(
      `The identity of ${identityOf(identity).id} is in ${to}\n` +
        "  It has private keys: its reader can act as this participant. Keep it apart from this machine, encrypted\n" +
        "  Export it again after each rotation of keys\n",
    );
  });
}

export function importIdentityFile(
  setup: ParticipantSetup,
  from: string,
  { terminal, host }: Surroundings,
): Promise<number> {
  return explaining("the identity was not imported", terminal, async () => {
    const text = host.files.read(from);
    if (text === null) throw new CannotStart(`${from} does not exist`);
    const identity = parseIdentity(parseJsonText(text));
    if (identity === null)
      throw new CannotStart(`${from} is no identity: give a file of identity export, or an identity.json`);
    const role = participantRole(setup);
    await refuseRunning(role, host);
    await importIdentity(setup.config, identity, { host, log: createLog(setup.log) });
    terminal.write(
      `The identity of ${identityOf(identity).id} is in place\n` +
        "  The next start reads its whole stream: its parties and contracts are there again\n" +
        "  Lost for good: users other than the configured ones, their rights, identity providers, annotations of parties,\n" +
        "  and what was set over the admin API\n",
    );
  });
}

async function findIdentity(setup: ParticipantSetup, host: Host): Promise<PrivateIdentity> {
  const role = participantRole(setup);
  const { database, definition } = role.store;
  if (database === undefined) {
    const found = readIdentityFile(role.dataFolder, host.files);
    if (found !== null) return found;
  } else {
    const snapshot = await (await loadPostgresArchives()).openSchemaSnapshot(database, { host });
    try {
      const text = await definition.identity?.find(snapshot.sql);
      const found = text === undefined ? null : parseIdentity(parseJsonText(text));
      if (found !== null) return found;
    } finally {
      await snapshot.close();
    }
  }
  throw new CannotStart(
    `there is no identity at ${describePlace(role)}: the participant was never started there`,
  );
}
