import { lazyPage, type WebSection } from "../routing/web-section.ts";

const page = lazyPage(() => import("./register-page.tsx"), "RegisterPage");

export const registerSection: WebSection = {
  id: "register",
  path: "/register",
  label: ({ shell }) => shell.sections.register,
  needs: "validator",
  isForUsers: true,
  pages: [
    { path: "/register", page },
    { path: "/register/:name", page },
    { path: "/my-names", page },
    { path: "/post-payment", page },
  ],
};
