export const enRegister = {
  title: "Register",
  lead: "This section is not there yet.",
};
