import { lazyPage, type WebSection } from "../routing/web-section.ts";

const page = lazyPage(() => import("./operator-page.tsx"), "OperatorPage");

export const operatorSection: WebSection = {
  id: "operator",
  path: "/operator",
  label: ({ shell }) => shell.sections.operator,
  needs: "operator",
  isForUsers: true,
  pages: [
    { path: "/operator", page },
    { path: "/operator/*", page },
  ],
};
