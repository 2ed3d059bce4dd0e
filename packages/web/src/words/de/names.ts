import type { enNames } from "../en/names.ts";

export const deNames: typeof enNames = {
  title: "Names",
  lead: "Diesen Bereich gibt es noch nicht.",
};
