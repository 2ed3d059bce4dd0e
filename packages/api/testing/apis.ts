import {
  type Api,
  ledgerApi,
  localNetworkApi,
  participantAdminApi,
  scanApi,
  sequencerApi,
  svApi,
  validatorApi,
} from "../src/index.ts";
import type { Example } from "./example.ts";
import { ledgerExamples } from "./examples/ledger.ts";
import { localNetworkExamples } from "./examples/local-network.ts";
import { participantAdminExamples } from "./examples/participant-admin.ts";
import { scanExamples } from "./examples/scan.ts";
import { sequencerExamples } from "./examples/sequencer.ts";
import { svExamples } from "./examples/sv.ts";
import { validatorExamples } from "./examples/validator.ts";

type AnyExamples = Readonly<Record<string, Example<object, unknown, unknown>>>;

/** Every API, with its examples. */
export const apis: readonly { readonly api: Api; readonly examples: AnyExamples }[] = [
  { api: scanApi, examples: scanExamples },
  { api: validatorApi, examples: validatorExamples },
  { api: ledgerApi, examples: ledgerExamples },
  { api: participantAdminApi, examples: participantAdminExamples },
  { api: localNetworkApi, examples: localNetworkExamples },
  { api: sequencerApi, examples: sequencerExamples },
  { api: svApi, examples: svExamples },
];
