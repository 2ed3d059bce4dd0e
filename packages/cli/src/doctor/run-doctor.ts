/** `callsign doctor`: tries everything that a role's configuration names from outside, before or while the role runs. */
import { type Host, withOutgoing } from "@callsign/node";
import type { Surroundings } from "../output/surroundings.ts";
import type { SetupOutcome } from "../settings/config-source.ts";
import type { ParticipantSetup, ProcessSetup, ValidatorSetup } from "../settings/setups.ts";
import type { Finding } from "../values/finding.ts";
import { type Examination, fault, faultOf, formatExamination } from "./examination.ts";
import { examineDatabase, examineFolder, examineKeySet, examineTls } from "./examine-machine.ts";
import { examineNetwork } from "./examine-network.ts";
import { examineParticipant } from "./examine-participant.ts";
import { examineProxy } from "./examine-proxy.ts";
import { examineUrl } from "./examine-server.ts";
import { blameProxy, mergeClocks } from "./shared-causes.ts";

/** A configuration with its mistakes: without a setup nothing can be tried. */
interface Patient<Setup extends ProcessSetup> {
  readonly setup: Setup | undefined;
  readonly findings: readonly Finding[];
}

type Look = () => Promise<readonly Examination[]> | readonly Examination[];

/** A way to look at a thing, and the beginnings of the keys that it needs. */
type Looks = readonly (readonly [keys: readonly string[], look: Look])[];

export function examineValidator(patient: Patient<ValidatorSetup>, given: Host) {
  return examineRole(patient, given, (setup, host) => {
    const { config } = setup;
    const { auth, database, dataFolder } = config;
    return [
      [
        ["scan", "svSponsor", "synchronizer", "decentralized", "useSequencer", "nonSv", "migration"],
        () => examineNetwork(config, host),
      ],
      [["participantAddress", "callsign.participant", "fixedTokens"], () => examineParticipant(setup, host)],
      [["auth."], () => (auth.kind === "jwks" ? examineKeySet(auth.jwksUrl, host) : [])],
      [["persistence"], () => examineDatabase(database, "wallet", host)],
      [
        ["callsign.dataFolder", "persistence"],
        () => (database === undefined ? examineFolder(dataFolder, host) : []),
      ],
      [["callsign.tls"], () => examineTls([config, setup.health, setup.metrics], host)],
    ];
  });
}

export function examineParticipantRole(patient: Patient<ParticipantSetup>, given: Host) {
  return examineRole(patient, given, (setup, host) => {
    const { auth, database, dataFolder, admin, sequencers, ...listening } = setup.config;
    return [
      [["auth."], () => (auth.kind === "jwks" ? examineKeySet(auth.jwksUrl, host) : [])],
      [["persistence"], () => examineDatabase(database, "participant", host)],
      [
        ["callsign.dataFolder", "persistence"],
        () => (database === undefined ? examineFolder(dataFolder, host) : []),
      ],
      [["callsign.tls"], () => examineTls([listening, admin, setup.health, setup.metrics], host)],
      [
        ["callsign.sequencers"],
        async () => {
          const looks = sequencers.map((url) =>
            examineUrl("callsign.sequencers", { role: "sequencer", url, host }),
          );
          return (await Promise.all(looks)).flat();
        },
      ],
    ];
  });
}

/** A thing whose keys have mistakes is not looked at: it would show the same mistake again. */
async function examineRole<Setup extends ProcessSetup>(
  { setup, findings }: Patient<Setup>,
  machine: Host,
  looksOf: (setup: Setup, host: Host) => Looks,
): Promise<readonly Examination[]> {
  const mistakes = findings.map(faultOf);
  if (setup === undefined)
    return [...mistakes, fault("servers and files", "not looked at", "Mend the configuration first")];
  const { proxy } = setup;
  const host = proxy === undefined ? machine : withOutgoing(machine, { proxy });
  const isSound = (keys: readonly string[]) =>
    !findings.some(({ key }) => [...keys, "additionalJvmOptions"].some((start) => key.startsWith(start)));
  const [proxies, ...looks] = await Promise.all([
    examineProxy(proxy, machine),
    ...looksOf(setup, host).map(([keys, look]) => (isSound(keys) ? look() : [])),
  ]);
  return [...mistakes, ...blameProxy(mergeClocks(looks.flat()), proxies)];
}

/** Resolves with the exit code, which is 1 if there is a fault. Looks at a configuration with mistakes as well. */
export async function runDoctor<Setup extends ProcessSetup>(
  outcome: SetupOutcome<Setup>,
  examine: (patient: Patient<Setup>, host: Host) => Promise<readonly Examination[]>,
  { terminal, host }: Surroundings,
): Promise<number> {
  const patient = outcome.ok
    ? { setup: outcome.setup, findings: [] }
    : { setup: outcome.draft, findings: outcome.findings };
  for (const warning of patient.setup?.warnings ?? []) terminal.write(`note   ${warning}\n`);
  const examinations = await examine(patient, host);
  for (const each of examinations) terminal.write(formatExamination(each));
  const faults = examinations.filter(({ isFine }) => !isFine).length;
  terminal.write(`${examinations.length} things looked at, ${faults === 0 ? "none" : faults} at fault.\n`);
  return faults === 0 ? 0 : 1;
}
