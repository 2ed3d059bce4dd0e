/** A small network, a participant and an OpenID provider, the values of a validator on them, and the doctor that looks at it. */
import { join } from "node:path";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  newPrivateKeys,
  type OpenIdProvider,
  secretOf,
  startOpenIdProvider,
  VALIDATOR_CLIENT,
} from "../auth/openid-provider.ts";
import { newParticipant, type TestParticipant } from "../support/participants.ts";
import { type PublishedNetwork, startPublishedNetwork } from "../support/published-network.ts";
import { runWith } from "./run-here.ts";
import type { Given, Values } from "./setup-kit.ts";

export const LEDGER_AUDIENCE = "https://ledger.acme.example";
/** An audience that the provider gives tokens for, and the participant does not want. */
export const OTHER_AUDIENCE = "https://other.acme.example";
export const SERVICE_USER = `${VALIDATOR_CLIENT}@clients`;
/** Nobody listens there. */
export const NOBODY = "http://127.0.0.1:9";

export interface DoctorWorld {
  readonly network: PublishedNetwork;
  readonly provider: OpenIdProvider;
  readonly participant: TestParticipant;
  readonly folder: string;
  /** A validator's values without a mistake. Its data folder does not exist. */
  readonly values: Values;
}

export async function startDoctorWorld(atEnd: AtEnd): Promise<DoctorWorld> {
  const folder = temporaryFolder(atEnd);
  const network = await startPublishedNetwork(atEnd, 2);
  const resource = (audience: string) => ({ audience, alg: "ES256", seconds: 600 }) as const;
  const provider = await startOpenIdProvider(
    {
      keys: await newPrivateKeys(),
      resources: {
        [LEDGER_AUDIENCE]: resource(LEDGER_AUDIENCE),
        [OTHER_AUDIENCE]: resource(OTHER_AUDIENCE),
        // A provider that gives another audience than the one that it was asked for.
        "https://renamed.acme.example": resource(OTHER_AUDIENCE),
      },
    },
    atEnd,
  );
  const auth = { kind: "jwks", jwksUrl: provider.jwksUrl, audience: LEDGER_AUDIENCE } as const;
  const participant = await newParticipant(
    network.sequencerUrls(),
    { auth, adminUsers: [SERVICE_USER] },
    atEnd,
  );
  const [first] = network.svs;
  const values = {
    svSponsorAddress: first?.node.appUrl,
    scanAddress: first?.scan.url,
    validatorPartyHint: "acme-names-1",
    nodeIdentifier: "acme-names-1",
    migration: { id: 0 },
    validatorWalletUsers: ["alice"],
    auth: { audience: "https://validator.acme.example", jwksUrl: provider.jwksUrl },
    callsign: {
      onboardingSecret: "a secret in plain text",
      dataFolder: join(folder, "missing", "data"),
      participantUrl: participant.url,
      participantAuth: {
        wellKnownConfigUrl: provider.wellKnownUrl,
        clientId: VALIDATOR_CLIENT,
        clientSecret: secretOf(VALIDATOR_CLIENT),
        audience: LEDGER_AUDIENCE,
        scope: "daml_ledger_api",
      },
    },
  };
  return { network, provider, participant, folder, values };
}

export interface Diagnosis {
  readonly exitCode: number;
  readonly text: string;
  /** Each fault as one text, with its fix on a line of its own. */
  readonly faults: readonly string[];
}

/** `callsign doctor` on values files, the later one winning. */
export async function diagnose(given: Given, ...words: readonly string[]): Promise<Diagnosis> {
  const { exitCode, said, complained } = await runWith(["doctor", ...words], given);
  const text = said + complained;
  const faults = text.match(/^FAULT .*\n( {7}.*\n)?/gm) ?? [];
  return { exitCode, text, faults };
}
