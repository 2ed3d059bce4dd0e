/** A wallet's rewards before they are minted. */
import type { WireContract } from "@callsign/api";
import { type AnyTemplateDeclaration, ValidatorRewardCoupon } from "@callsign/ledger";
import type { WalletStore } from "../store/wallet-store.ts";
import { wireContract } from "../store/wire-contract.ts";
import type { Wallet } from "./wallet.ts";

export async function listCoupons(
  store: WalletStore,
  { party }: Wallet,
  template: AnyTemplateDeclaration,
): Promise<WireContract[]> {
  const coupons = await store.list(template, { owner: party });
  return coupons.map((coupon) => wireContract(template, coupon));
}

/** Their owners are the users; the wallet is the validator of those. */
export async function listValidatorCoupons(store: WalletStore, { party }: Wallet): Promise<WireContract[]> {
  const coupons = await store.listMintableFor(party);
  return coupons.map((coupon) => wireContract(ValidatorRewardCoupon, coupon));
}
