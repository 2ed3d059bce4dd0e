/** The cost of a payment in coin: an amount in dollars is divided by the round's price, rounded half-even. */
import { abort } from "../../engine/failure.ts";
import { type Decimal, divide } from "../../values/decimal.ts";
import type { PaymentAmount } from "./declarations/payment-amount.ts";

export function paymentAmountToAmulet({ amount, unit }: PaymentAmount, amuletPrice: Decimal): Decimal {
  switch (unit) {
    case "USDUnit":
      return divide(amount, amuletPrice);
    case "AmuletUnit":
      return amount;
    case "ExtUnit":
      return abort("ExtUnit: bare extension constructors are not allowed at runtime");
  }
}
