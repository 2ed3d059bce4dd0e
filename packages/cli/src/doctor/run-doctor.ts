/** `callsign doctor`: tries from outside whatever a role's configuration names, before or while the role runs. */
import { type Host, withOutgoing } from "@callsign/node";
import type { Terminal } from "../output/terminal.ts";
import type { ParticipantSetup, ProcessSetup, ValidatorSetup } from "../settings/setups.ts";
import { type Examination, formatExamination } from "./examination.ts";
import { examineDatabase, examineFolder, examineKeySet, examineTls } from "./examine-machine.ts";
import { examineNetwork } from "./examine-network.ts";
import { examineParticipant } from "./examine-participant.ts";

export async function examineValidator(setup: ValidatorSetup, given: Host): Promise<readonly Examination[]> {
  const host = throughProxy(setup, given);
  const { config } = setup;
  const { auth, database, dataFolder } = config;
  const looks = await Promise.all([
    examineNetwork(config, host).then((found) => found.flat()),
    examineParticipant(setup, host),
    auth.kind === "jwks" ? examineKeySet(auth.jwksUrl, host) : [],
    examineDatabase(database, "wallet", host),
    database === undefined ? examineFolder(dataFolder, host) : [],
    examineTls([config, setup.health, setup.metrics], host),
  ]);
  return looks.flat();
}

export async function examineParticipantRole(
  setup: ParticipantSetup,
  given: Host,
): Promise<readonly Examination[]> {
  const host = throughProxy(setup, given);
  const { auth, database, dataFolder, admin, ...listening } = setup.config;
  const looks = await Promise.all([
    auth.kind === "jwks" ? examineKeySet(auth.jwksUrl, host) : [],
    examineDatabase(database, "participant", host),
    database === undefined ? examineFolder(dataFolder, host) : [],
    examineTls([listening, admin, setup.health, setup.metrics], host),
  ]);
  return looks.flat();
}

/** Prints every examination; the exit code is 1 if there is a fault. */
export function report(examinations: readonly Examination[], terminal: Terminal): number {
  for (const each of examinations) terminal.write(formatExamination(each));
  const faults = examinations.filter(({ isFine }) => !isFine).length;
  terminal.write(`${examinations.length} things looked at, ${faults === 0 ? "none" : faults} at fault.\n`);
  return faults === 0 ? 0 : 1;
}

function throughProxy({ proxy }: ProcessSetup, host: Host): Host {
  return proxy === undefined ? host : withOutgoing(host, { proxy });
}
