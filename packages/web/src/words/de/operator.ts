import type { enOperator } from "../en/operator.ts";

export const deOperator: typeof enOperator = {
  title: "Operator",
  lead: "Diesen Bereich gibt es noch nicht.",
};
