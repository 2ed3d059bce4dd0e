import { lazyPage, type WebSection } from "../routing/web-section.ts";

const page = lazyPage(() => import("./developer-page.tsx"), "DeveloperPage");

export const developerSection: WebSection = {
  id: "developer",
  path: "/developer",
  label: ({ shell }) => shell.sections.developer,
  needs: "localNetwork",
  isForUsers: false,
  pages: [
    { path: "/developer", page },
    { path: "/developer/*", page },
  ],
};
