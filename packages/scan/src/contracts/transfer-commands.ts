/** How transfer commands end: the choices that use them up, and the results of those. */
import {
  type ContractId,
  formatDecimal,
  type ResultOf,
  type Transaction,
  TransferCommand,
} from "@callsign/ledger";

export interface CommandEnd {
  readonly outcome: "sent" | "failed" | "expired" | "withdrawn";
  /** Null for a command that was sent. */
  readonly reason: string | null;
}

export interface EndedCommand extends CommandEnd {
  readonly contractId: ContractId;
}

type Sent = ResultOf<(typeof TransferCommand)["choices"]["TransferCommand_Send"]>;
type Failure = Extract<Sent["result"], { readonly tag: "TransferCommandResultFailure" }>["value"]["reason"];

export function listCommandEnds({ nodes }: Transaction): readonly EndedCommand[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "exercise" || !node.consuming || node.templateId !== TransferCommand.id) return [];
    return [{ contractId: node.contractId, ...endOf(node.choice, node.result.value) }];
  });
}

/** The texts are Splice's. A command that its signatories archive by hand counts as withdrawn. */
function endOf(choice: string, value: unknown): CommandEnd {
  switch (choice) {
    case "TransferCommand_Send": {
      const { result } = value as Sent;
      if (result.tag === "TransferCommandResultSuccess") return { outcome: "sent", reason: null };
      return { outcome: "failed", reason: formatFailure(result.value.reason) };
    }
    case "TransferCommand_Expire":
      return { outcome: "expired", reason: "The TransferCommand has expired" };
    default:
      return { outcome: "withdrawn", reason: "The TransferCommand has been withdrawn by the sender" };
  }
}

/** As Splice prints it: the constructor with its fields in brackets. */
function formatFailure({ tag, value }: Failure): string {
  switch (tag) {
    case "ITR_InsufficientFunds":
      return `${tag}(${formatDecimal(value.missingAmount)})`;
    case "ITR_UnknownSynchronizer":
      return `${tag}(${value.synchronizerId})`;
    case "ITR_InsufficientTopupAmount":
      return `${tag}(${value.requestedTopupAmount}, ${value.minTopupAmount})`;
    case "ITR_Other":
      return `${tag}(${value.description})`;
    case "ExtInvalidTransferReason":
      return tag;
  }
}
