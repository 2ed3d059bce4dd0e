import { lazyPage, type WebSection } from "../routing/web-section.ts";

export const walletSection: WebSection = {
  id: "wallet",
  path: "/wallet",
  label: ({ shell }) => shell.sections.wallet,
  needs: "validator",
  isForUsers: true,
  pages: [
    { path: "/wallet", page: lazyPage(() => import("./overview-page.tsx"), "OverviewPage") },
    { path: "/wallet/send", page: lazyPage(() => import("./send-page.tsx"), "SendPage") },
    { path: "/wallet/offers", page: lazyPage(() => import("./offers-page.tsx"), "OffersPage") },
    {
      path: "/wallet/history",
      page: lazyPage(() => import("./wallet-history-page.tsx"), "WalletHistoryPage"),
    },
    {
      path: "/wallet/subscriptions",
      page: lazyPage(() => import("./subscriptions-page.tsx"), "SubscriptionsPage"),
    },
    { path: "/wallet/traffic", page: lazyPage(() => import("./traffic-page.tsx"), "TrafficPage") },
    {
      path: "/wallet/allocations",
      page: lazyPage(() => import("./allocations-page.tsx"), "AllocationsPage"),
    },
    {
      path: "/wallet/delegations",
      page: lazyPage(() => import("./delegations-page.tsx"), "DelegationsPage"),
    },
    {
      path: "/wallet/development-fund",
      page: lazyPage(() => import("./development-fund-page.tsx"), "DevelopmentFundPage"),
    },
    { path: "/wallet/help", page: lazyPage(() => import("./help-page.tsx"), "HelpPage") },
    {
      path: "/confirm-subscription/:cid",
      page: lazyPage(() => import("./confirm-subscription-page.tsx"), "ConfirmSubscriptionPage"),
    },
    {
      path: "/confirm-payment/:cid",
      page: lazyPage(() => import("./confirm-payment-page.tsx"), "ConfirmPaymentPage"),
    },
  ],
  redirects: {
    "/transactions": "/wallet",
    "/transfer": "/wallet/send",
    "/subscriptions": "/wallet/subscriptions",
    "/allocations": "/wallet/allocations",
    "/delegations": "/wallet/delegations",
    "/development-fund": "/wallet/development-fund",
    "/faqs": "/wallet/help",
  },
};
