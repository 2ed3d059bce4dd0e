import { deDeveloper } from "./de/developer.ts";
import { deNames } from "./de/names.ts";
import { deNetwork } from "./de/network.ts";
import { deOperator } from "./de/operator.ts";
import { deRegister } from "./de/register.ts";
import { deShell } from "./de/shell.ts";
import { deWallet } from "./de/wallet.ts";
import type { en } from "./en.ts";

/** Every visible string in German. */
export const de: typeof en = {
  shell: deShell,
  names: deNames,
  register: deRegister,
  wallet: deWallet,
  network: deNetwork,
  operator: deOperator,
  developer: deDeveloper,
};
