/**
 * Accepts a request with a payment, once: a call that is repeated while the payment is there gives that payment, also
 * if the first answer got lost or two calls come at once.
 */
import type { AmuletOperation, AnyTemplateDeclaration, ContractId } from "@callsign/ledger";
import { getOwned, type Sought } from "./get-owned.ts";
import type { Wallet } from "./wallet.ts";
import { getCreated, type WalletParts } from "./wallet-ledger.ts";

export interface PayableRequest extends Sought<AnyTemplateDeclaration> {
  /** The template of the payment. Its contracts are linked to the request that they pay. */
  readonly payment: AnyTemplateDeclaration;
  readonly operationOf: (request: ContractId) => AmuletOperation;
}

export async function payRequest(
  { store, ledger }: WalletParts,
  wallet: Wallet,
  request: PayableRequest,
): Promise<ContractId> {
  const { payment, operationOf } = request;
  const findPayment = async () => {
    const [made] = await store.list(payment, { owner: wallet.party, reference: request.contractId }, 1);
    return made?.contractId;
  };
  const made = await findPayment();
  if (made !== undefined) return made;
  const getRequest = () => getOwned(store, wallet, request);
  await getRequest();
  try {
    const transaction = await ledger.runOperation(wallet, async () => ({
      operation: operationOf((await getRequest()).contractId),
    }));
    return getCreated(transaction, payment);
  } catch (error) {
    // Of two concurrent calls, the second finds the payment of the first.
    const other = await findPayment();
    if (other !== undefined) return other;
    throw error;
  }
}
