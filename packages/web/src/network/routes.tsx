import { lazyPage, type WebSection } from "../routing/web-section.ts";

export const networkSection: WebSection = {
  id: "network",
  path: "/network",
  label: ({ shell }) => shell.sections.network,
  needs: "scan",
  isForUsers: false,
  pages: [{ path: "/network", page: lazyPage(() => import("./network-page.tsx"), "NetworkPage") }],
};
