/** The setup of a validator. */
import { VALIDATOR_KEYS } from "../keys/validator-keys.ts";
import { checkSettings } from "./check-settings.ts";
import type { ReadParts, SetupOutcome } from "./config-source.ts";
import type { KeyReader } from "./key-reader.ts";
import { readServiceUser, readTokenVerifier } from "./read-authentication.ts";
import { readDatabase } from "./read-database.ts";
import { checkDumpImport, readInstanceNames, readOperator } from "./read-identity.ts";
import { readMigrationId, readOnboarding } from "./read-onboarding.ts";
import { readValidatorPages } from "./read-pages.ts";
import { readParticipantConnection } from "./read-participant-connection.ts";
import { readListening, readProcess } from "./read-process.ts";
import { readScans, readSequencers } from "./read-scans.ts";
import { readSchedule } from "./read-schedule.ts";
import { type Draft, readSetup } from "./read-setup.ts";
import { readTopUp } from "./read-top-up.ts";
import { readAutoAccept, readWalletSweep } from "./read-transfers.ts";
import type { ValidatorSetup } from "./setups.ts";

const API_PORT = 5003;

export function readValidatorSetup(parts: ReadParts): SetupOutcome<ValidatorSetup> {
  return readSetup(VALIDATOR_KEYS, parts, draftValidator);
}

function draftValidator(reader: KeyReader): Draft<ValidatorSetup> | undefined {
  // All of it is read before anything is given up, so that every finding is told.
  const migrationId = readMigrationId(reader);
  const migrating = reader.flag("migration.migrating") ?? false;
  const onboarding = readOnboarding(reader);
  const [scans, sequencers] = [readScans(reader), readSequencers(reader)];
  const [auth, serviceUser] = [readTokenVerifier(reader), readServiceUser(reader)];
  const operator = readOperator(reader);
  checkDumpImport(reader);
  const topup = readTopUp(reader);
  const pruningSchedule = readSchedule(reader);
  const database = readDatabase(reader, {
    databaseName: "cantonnet_validator",
    schema: "validator",
    migrationId: migrationId ?? 0,
  });
  const participant = readParticipantConnection(reader);
  const spliceInstanceNames = readInstanceNames(reader, "spliceInstanceNames");
  const topologyMetricsSeconds = reader.number("callsign.topologyMetricsPollingInterval");
  const deduplicationSeconds = reader.number("deduplicationDuration");
  const contactPoint = reader.text("contactPoint");
  const [walletSweep, autoAcceptTransfers] = [readWalletSweep(reader), readAutoAccept(reader)];
  checkSettings(reader, {
    ...{ scans, sequencers, onboarding, contactPoint, topup, migrationId, migrating },
    ...{ pruningSchedule, deduplicationSeconds, spliceInstanceNames, walletSweep, autoAcceptTransfers },
  });
  const listening = readListening(reader, { key: "callsign.port", port: API_PORT, tls: "api" });
  const others = readProcess(reader, { healthIsOnApi: true });
  const web = readValidatorPages(reader, spliceInstanceNames);
  if (migrationId === undefined || scans === undefined || sequencers === undefined) return undefined;
  if (auth === undefined || serviceUser === undefined || operator === undefined) return undefined;
  const { nodeIdentifier, walletUsers, operatorPartyHint } = operator;
  return {
    ...others,
    serviceUser,
    config: {
      ...listening,
      web,
      ...participant,
      dataFolder: reader.text("callsign.dataFolder") ?? ".data/validator",
      scans,
      sequencers,
      auth,
      walletUsers,
      operatorPartyHint,
      nodeIdentifier,
      svValidator: reader.flag("svValidator") ?? false,
      migrationId,
      migrating,
      pruningSchedule,
      enableWallet: reader.flag("enableWallet") ?? true,
      walletSweep,
      autoAcceptTransfers,
      ...(deduplicationSeconds === undefined ? {} : { deduplicationSeconds }),
      ...(database === undefined ? {} : { database }),
      ...(onboarding === undefined ? {} : { onboarding }),
      ...(contactPoint === undefined || contactPoint === "" ? {} : { contactPoint }),
      ...(topup === undefined ? {} : { topup }),
      ...(spliceInstanceNames === undefined ? {} : { spliceInstanceNames }),
      ...(topologyMetricsSeconds === undefined ? {} : { topologyMetricsSeconds }),
    },
  };
}
