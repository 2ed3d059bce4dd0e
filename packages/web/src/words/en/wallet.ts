export const enWallet = {
  title: "Wallet",
  lead: "This section is not there yet.",
};
