import { lazyPage, type WebSection } from "../routing/web-section.ts";

const page = lazyPage(() => import("./wallet-page.tsx"), "WalletPage");

export const walletSection: WebSection = {
  id: "wallet",
  path: "/wallet",
  label: ({ shell }) => shell.sections.wallet,
  needs: "validator",
  isForUsers: true,
  pages: [
    { path: "/wallet", page },
    { path: "/wallet/*", page },
    { path: "/confirm-subscription/:cid", page },
    { path: "/confirm-payment/:cid", page },
  ],
  redirects: {
    "/transactions": "/wallet",
    "/transfer": "/wallet/send",
    "/subscriptions": "/wallet/subscriptions",
    "/allocations": "/wallet/allocations",
    "/delegations": "/wallet/delegations",
    "/development-fund": "/wallet/development-fund",
    "/faqs": "/wallet",
  },
};
