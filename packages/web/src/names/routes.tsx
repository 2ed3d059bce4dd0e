import { lazyPage, type WebSection } from "../routing/web-section.ts";

export const namesSection: WebSection = {
  id: "names",
  path: "/names",
  label: ({ shell }) => shell.sections.names,
  needs: "names",
  isForUsers: false,
  pages: [
    { path: "/names", page: lazyPage(() => import("./names-page.tsx"), "NamesPage") },
    { path: "/names/:name", page: lazyPage(() => import("./name-info-page.tsx"), "NameInfoPage") },
    { path: "/parties/:party", page: lazyPage(() => import("./party-info-page.tsx"), "PartyInfoPage") },
  ],
};
