/** Parts of rows that are remembered between transactions. */
import { StoreDictionaries } from "@callsign/node";
import { NameNumbers } from "./name-numbers.ts";

export class RowMemory {
  readonly names = new NameNumbers();
  /** Of the bodies of items. */
  readonly bodies = new StoreDictionaries("body");
  /** Of the texts of contracts. */
  readonly contracts = new StoreDictionaries("contract");
}
