/** The token standard's registry: the coin's metadata, its factories, the contexts of their choices. */
import {
  type ChoiceContext,
  type InstanceNames,
  type Instrument,
  type registryApi,
  spliceError,
  unexpectedError,
} from "@callsign/api";
import { ExternalPartyAmuletRules, formatInstant, type Network } from "@callsign/ledger";
import { type Handlers, Refusal } from "@callsign/node";
import { formatTotal } from "../holdings/holdings-summary.ts";
import { type ContextParts, formatContext } from "../registry/choice-context.ts";
import {
  type Found,
  findAllocationStep,
  findAllocationTerms,
  findFactoryTransfer,
  findTransferStep,
  type SecondStep,
} from "../registry/transfer-context.ts";
import type { ScanIndex } from "../rows/scan-index.ts";

const INSTRUMENT = "Amulet";
const METADATA_API = "splice-api-token-metadata-v1";
const COIN_APIS = [
  METADATA_API,
  "splice-api-token-holding-v1",
  "splice-api-token-transfer-instruction-v1",
  "splice-api-token-allocation-v1",
  "splice-api-token-allocation-instruction-v1",
];
/** All APIs have this minor version. */
const MINOR = 1;

/** The part of every request's body that contexts depend on. */
interface Asked {
  readonly excludeDebugFields: boolean | null;
}

export function registryRoutes(index: () => ScanIndex, names: InstanceNames) {
  const format = (parts: ContextParts, { excludeDebugFields }: Asked): ChoiceContext =>
    formatContext(parts, {
      synchronizerId: networkOf(index()).synchronizerId,
      excludeDebugFields: excludeDebugFields ?? false,
    });
  /** The factory is disclosed with everything that its choice needs. */
  const factory = (parts: ContextParts, asked: Asked) => {
    const rules = index().contracts.find(ExternalPartyAmuletRules);
    if (rules === undefined) throw new Refusal(unexpectedError());
    const whole = { ...parts, disclosed: [...parts.disclosed, rules] };
    return { factoryId: rules.contract.contractId, choiceContext: format(whole, asked) };
  };
  const ofTransfer =
    (step: SecondStep) =>
    ({ params, body }: { params: { transferInstructionId: string }; body: Asked }) =>
      format(need(findTransferStep(index(), params.transferInstructionId, step)), body);
  const ofAllocation =
    (step: SecondStep) =>
    ({ params, body }: { params: { allocationId: string }; body: Asked }) =>
      format(need(findAllocationStep(index(), params.allocationId, step)), body);
  return {
    getRegistryInfo: () => ({
      adminId: networkOf(index()).dso,
      supportedApis: { [METADATA_API]: MINOR },
    }),
    listInstruments: () => ({ instruments: [describeCoin(index(), names)], nextPageToken: null }),
    getInstrument: ({ params: { instrumentId } }) => {
      if (instrumentId === INSTRUMENT) return describeCoin(index(), names);
      throw new Refusal(spliceError(404, `No instrument with id ${instrumentId} found`));
    },
    getTransferFactory: ({ body }) => {
      const { transferKind, parts } = need(findFactoryTransfer(index(), body.choiceArguments));
      return { ...factory(parts, body), transferKind };
    },
    getTransferInstructionAcceptContext: ofTransfer({ handsOver: true }),
    getTransferInstructionRejectContext: ofTransfer({ handsOver: false }),
    getTransferInstructionWithdrawContext: ofTransfer({ handsOver: false }),
    getAllocationFactory: ({ body }) => factory(need(findAllocationTerms(index())), body),
    getAllocationTransferContext: ofAllocation({ handsOver: true }),
    getAllocationWithdrawContext: ofAllocation({ handsOver: false }),
    getAllocationCancelContext: ofAllocation({ handsOver: false }),
  } satisfies Handlers<typeof registryApi.endpoints, null>;
}

function describeCoin({ holdings, now }: ScanIndex, names: InstanceNames): Instrument {
  const snapshot = holdings.findSnapshotAtOrBefore(now);
  return {
    id: INSTRUMENT,
    name: names.amuletName,
    symbol: names.amuletNameAcronym,
    totalSupply: snapshot === undefined ? null : formatTotal(snapshot.supply),
    totalSupplyAsOf: snapshot === undefined ? null : formatInstant(snapshot.recordTime),
    decimals: 10,
    supportedApis: Object.fromEntries(COIN_APIS.map((name) => [name, MINOR])),
  };
}

function need<T>(found: Found<T>): T {
  if (found.kind === "found") return found.value;
  throw new Refusal(spliceError(found.status, found.reason));
}

function networkOf({ network }: ScanIndex): Network {
  if (network === null) throw new Refusal(unexpectedError());
  return network;
}
