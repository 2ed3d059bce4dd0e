export const enOperator = {
  title: "Operator",
  lead: "This section is not there yet.",
};
