import type { enRegister } from "../en/register.ts";

export const deRegister: typeof enRegister = {
  title: "Register",
  lead: "Diesen Bereich gibt es noch nicht.",
};
