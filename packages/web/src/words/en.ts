import { enDeveloper } from "./en/developer.ts";
import { enNames } from "./en/names.ts";
import { enNetwork } from "./en/network.ts";
import { enOperator } from "./en/operator.ts";
import { enRegister } from "./en/register.ts";
import { enShell } from "./en/shell.ts";
import { enWallet } from "./en/wallet.ts";

/** Every visible string in English. Its type is what other languages must have. */
export const en = {
  shell: enShell,
  names: enNames,
  register: enRegister,
  wallet: enWallet,
  network: enNetwork,
  operator: enOperator,
  developer: enDeveloper,
};
