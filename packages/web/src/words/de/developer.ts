import type { enDeveloper } from "../en/developer.ts";

export const deDeveloper: typeof enDeveloper = {
  title: "Developer",
  lead: "Diesen Bereich gibt es noch nicht.",
};
