/** The network parameters of a new validator: migration id, sponsor and secret. */
import type { KeyReader } from "./key-reader.ts";
import type { ValidatorSettings } from "./setups.ts";
import { withPath } from "./urls.ts";

export function readMigrationId(reader: KeyReader): number | undefined {
  const fix = "Give the network's migration id, here or as the environment variable MIGRATION_ID";
  return reader.number("migration.id") ?? reader.require("migration.id", fix);
}

/** Undefined for a validator that is onboarded, or that is an SV's own. */
export function readOnboarding(reader: KeyReader): ValidatorSettings["onboarding"] {
  const url = reader.text("svSponsorAddress");
  const secret = reader.text("callsign.onboardingSecret");
  if (reader.flag("svValidator") === true) return undefined;
  if (url === undefined) {
    const fix =
      "Give the sponsor SV's URL, here or as the environment variable SPONSOR_SV_URL; once the validator has its " +
      'license, svSponsorAddress: "" does as well';
    return reader.require("svSponsorAddress", fix);
  }
  if (url === "") return undefined;
  if (secret === undefined) {
    reader.warnings.push(
      "there is no onboarding secret: a validator without a license gets one only on a network with self-service; " +
        "otherwise ask the sponsor SV for a secret and set ONBOARDING_SECRET",
    );
  }
  return { svUrl: withPath(url, "/api/sv"), ...(secret === undefined ? {} : { secret }) };
}
