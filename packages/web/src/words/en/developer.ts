export const enDeveloper = {
  title: "Developer",
  lead: "This section is not there yet.",
};
