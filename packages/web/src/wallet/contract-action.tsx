import type { ReactNode } from "react";
import { ActionButton } from "../design/action.tsx";

interface ContractChange {
  readonly isPending: boolean;
  readonly mutate: (request: { readonly params: { readonly contract_id: string } }) => void;
}

/** A small button that makes a change to the contract of its row, such as accepting or rejecting it. */
export function ContractAction({
  change,
  contractId,
  kind = "danger",
  children,
}: {
  readonly change: ContractChange;
  readonly contractId: string;
  readonly kind?: "main" | "danger";
  readonly children: ReactNode;
}) {
  return (
    <ActionButton
      size="small"
      kind={kind}
      isPending={change.isPending}
      onPress={() => change.mutate({ params: { contract_id: contractId } })}
    >
      {children}
    </ActionButton>
  );
}
