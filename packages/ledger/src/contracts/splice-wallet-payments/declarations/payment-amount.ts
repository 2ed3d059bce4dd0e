/** Splice.Wallet.Payment: an amount in dollars or in coin. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { record } from "../../../daml/record.ts";
import { numeric } from "../../../daml/scalars.ts";
import { enumeration } from "../../../daml/variant.ts";

export const Unit = enumeration("USDUnit", "AmuletUnit", "ExtUnit");

export const PaymentAmount = record("PaymentAmount", { amount: numeric, unit: Unit });
export type PaymentAmount = ValueOf<typeof PaymentAmount>;
