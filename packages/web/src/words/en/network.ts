export const enNetwork = {
  title: "Network",
  lead: "This section is not there yet.",
};
