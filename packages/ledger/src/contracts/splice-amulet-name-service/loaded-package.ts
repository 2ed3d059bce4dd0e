import type { LoadedPackage } from "../../engine/catalogue.ts";
import { nameServicePackage } from "../packages.ts";
import { ansEntry } from "./ans-entry.ts";

export const nameService: LoadedPackage = {
  package: nameServicePackage,
  templates: [ansEntry],
  interfaces: [],
};
