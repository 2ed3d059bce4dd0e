export const enNames = {
  title: "Names",
  lead: "This section is not there yet.",
};
