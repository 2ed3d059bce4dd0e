import {
  type Api,
  controlApi,
  ledgerApi,
  localNetworkApi,
  participantAdminApi,
  registryApi,
  scanApi,
  sequencerApi,
  svApi,
  validatorApi,
} from "../src/index.ts";
import { completeExamples, type WholeExample } from "./example.ts";
import { controlExamples } from "./examples/control.ts";
import { ledgerExamples } from "./examples/ledger.ts";
import { localNetworkExamples } from "./examples/local-network.ts";
import { participantAdminExamples } from "./examples/participant-admin.ts";
import { registryExamples } from "./examples/registry.ts";
import { scanExamples } from "./examples/scan.ts";
import { sequencerExamples } from "./examples/sequencer.ts";
import { svExamples } from "./examples/sv.ts";
import { validatorExamples } from "./examples/validator.ts";

/** Every API, with its examples. */
export const apis: readonly {
  readonly api: Api;
  readonly examples: Readonly<Record<string, WholeExample>>;
}[] = [
  { api: scanApi, examples: completeExamples(scanExamples) },
  { api: registryApi, examples: completeExamples(registryExamples) },
  { api: validatorApi, examples: completeExamples(validatorExamples) },
  { api: ledgerApi, examples: completeExamples(ledgerExamples) },
  { api: participantAdminApi, examples: completeExamples(participantAdminExamples) },
  { api: localNetworkApi, examples: completeExamples(localNetworkExamples) },
  { api: controlApi, examples: completeExamples(controlExamples) },
  { api: sequencerApi, examples: completeExamples(sequencerExamples) },
  { api: svApi, examples: completeExamples(svExamples) },
];
