/** The commands that read a configuration, by their names of one word or two. */
import { runBackup, runCheck, runMove, runRestore } from "../backup/run-backup.ts";
import { examineParticipantRole, examineValidator, runDoctor } from "../doctor/run-doctor.ts";
import { exportIdentity, importIdentityFile } from "../identity/run-identity.ts";
import { rotateKeys, showKeys } from "../identity/run-keys.ts";
import { runResync } from "../identity/run-resync.ts";
import { runActivation } from "../network/run-activation.ts";
import { runActivationDraft } from "../network/run-activation-draft.ts";
import { runDraft } from "../network/run-draft.ts";
import { runFound } from "../network/run-found.ts";
import { runLogCopy } from "../network/run-log-copy.ts";
import { runLogRestore } from "../network/run-log-restore.ts";
import { runMigration } from "../network/run-migration.ts";
import { runSign } from "../network/run-sign.ts";
import { showIdentities } from "../network/show-identities.ts";
import { runRole } from "../run/run-role.ts";
import { readParticipantSetup } from "../settings/read-participant-setup.ts";
import { readSvSetup } from "../settings/read-sv-setup.ts";
import { readValidatorSetup } from "../settings/read-validator-setup.ts";
import type { OptionTable } from "../settings/source-options.ts";
import { showStatus } from "../status/show-status.ts";
import {
  type CommandLine,
  type ConfiguredCommand,
  forEachRole,
  on,
  onEachRole,
} from "./configured-command.ts";
import { ROLES } from "./roles.ts";

/** More than a network has SVs. */
const MAX_FILES = 1000;

const NO_LINE: CommandLine = { own: {}, words: [] };

const WORKERS: OptionTable = { workers: { type: "string", sets: "callsign.workers" } };

const TABLE: Readonly<Record<string, ConfiguredCommand>> = {
  validator: { run: on(ROLES.validator, runRole) },
  participant: { run: on(ROLES.participant, runRole) },
  sv: { run: on(ROLES.sv, runRole), options: WORKERS },
  scan: { run: on(ROLES.scan, runRole), options: WORKERS },
  doctor: {
    run: {
      validator: (parts, around) => runDoctor(readValidatorSetup(parts), examineValidator, around),
      participant: (parts, around) => runDoctor(readParticipantSetup(parts), examineParticipantRole, around),
    },
  },
  status: { run: onEachRole(showStatus) },
  backup: {
    run: onEachRole((role, around, own) => runBackup(role, String(own["to"]), around)),
    options: { to: { type: "string", needed: "the folder that is made for the back-up" } },
  },
  restore: {
    run: onEachRole((role, around, { from, replace = false, verify = false }) =>
      runRestore(role, { from: String(from), replace: replace === true, verify: verify === true }, around),
    ),
    options: {
      from: { type: "string", needed: "the folder of the back-up" },
      replace: { type: "boolean" },
      verify: { type: "boolean" },
    },
    runWithout: (around, { from, verify }) => (verify === true ? runCheck(String(from), around) : undefined),
  },
  "store move": {
    run: forEachRole((read) =>
      on(read, (role, around, own, { source, files }) => {
        const move = on(read, (other) =>
          runMove(role, other, { ...around, replace: own["replace"] === true }),
        );
        const to = { ...source, files: [String(own["to"])], sets: [] };
        return move({ source: to, files }, around, NO_LINE);
      }),
    ),
    options: {
      to: { type: "string", needed: "the values file of the place that the store goes to" },
      replace: { type: "boolean" },
    },
  },
  "store resync": {
    run: {
      participant: on(readParticipantSetup, (setup, around, { yes = false }) =>
        runResync(setup, { ...around, applies: yes === true }),
      ),
    },
    options: { yes: { type: "boolean" } },
  },
  "keys show": { run: onEachRole(showKeys) },
  "keys rotate": {
    run: onEachRole((role, around, own) =>
      rotateKeys(role, { ...around, replaceUnknown: own["replace-unknown"] === true }),
    ),
    options: { "replace-unknown": { type: "boolean" } },
  },
  "identity export": {
    run: {
      participant: on(readParticipantSetup, (setup, around, own) =>
        exportIdentity(setup, String(own["to"]), around),
      ),
    },
    options: { to: { type: "string", needed: "the file that is made" } },
  },
  "identity import": {
    run: {
      participant: on(readParticipantSetup, (setup, around, own) =>
        importIdentityFile(setup, String(own["from"]), around),
      ),
    },
    options: { from: { type: "string", needed: "the file of an export" } },
  },
  "identity show": {
    run: on(readSvSetup, (setup, around, { json }) => showIdentities(setup, around, { json: json === true })),
    options: { json: { type: "boolean" } },
  },
  "network draft": {
    run: on(readSvSetup, (setup, around, { to, activation }, _, cards) =>
      activation === true
        ? runActivationDraft(setup, around, { to: String(to) })
        : runDraft(setup, around, { cards, to: String(to) }),
    ),
    options: {
      to: { type: "string", needed: "the file that is made for the draft" },
      activation: { type: "boolean" },
    },
    words: {
      form: "<cards>…: a file of identity show --json from each SV",
      least: 1,
      most: MAX_FILES,
      noneWith: "activation",
    },
  },
  "network sign": {
    run: on(readSvSetup, (setup, around, own, _, [draft = ""]) =>
      runSign(setup, around, { draft, to: String(own["to"]) }),
    ),
    options: { to: { type: "string", needed: "the file that is made for the signature" } },
    words: { form: "<draft>: a file of network draft", least: 1, most: 1 },
  },
  "network found": {
    run: on(readSvSetup, (setup, around, _own, _parts, [draft = "", ...signatures]) =>
      runFound(setup, around, { draft, signatures }),
    ),
    words: {
      form: "<draft> <signatures>…: the draft, and a file of network sign from each SV",
      least: 2,
      most: MAX_FILES,
    },
  },
  "log copy": {
    run: on(readSvSetup, (setup, around, own, { source, files }) => {
      const copy = on(readSvSetup, (to) => runLogCopy(setup, to, around));
      return copy({ source: { ...source, files: [String(own["to"])], sets: [] }, files }, around, NO_LINE);
    }),
    options: { to: { type: "string", needed: "the values file of the place that the log is copied to" } },
  },
  "log restore": {
    run: on(readSvSetup, (setup, around, { lost = "", keep = "", yes = false }) =>
      runLogRestore(setup, around, { lost: String(lost), keep: String(keep), applies: yes === true }),
    ),
    options: { lost: { type: "string" }, keep: { type: "string" }, yes: { type: "boolean" } },
  },
  "network activate": {
    run: on(readSvSetup, (setup, around, _own, _parts, files) => runActivation(setup, around, { files })),
    words: {
      form: "<draft> <signatures>…: the draft of an activation, and files of network sign; none on a stopped network",
      least: 0,
      most: MAX_FILES,
    },
  },
  "network migrate": { run: on(readSvSetup, runMigration) },
};

export const CONFIGURED_COMMANDS: ReadonlyMap<string, ConfiguredCommand> = new Map(Object.entries(TABLE));
