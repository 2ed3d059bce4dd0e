import { lazyPage, type WebSection } from "../routing/web-section.ts";

const register = lazyPage(() => import("./register-page.tsx"), "RegisterPage");
const myNames = lazyPage(() => import("./my-names-page.tsx"), "MyNamesPage");
const request = lazyPage(() => import("./request-page.tsx"), "RequestPage");
const postPayment = lazyPage(() => import("./request-page.tsx"), "PostPaymentPage");

export const registerSection: WebSection = {
  id: "register",
  path: "/register",
  label: ({ shell }) => shell.sections.register,
  needs: "validator",
  isForUsers: true,
  pages: [
    { path: "/register", page: register },
    { path: "/register/request/:id", page: request },
    { path: "/register/:name", page: register },
    { path: "/post-payment", page: postPayment },
  ],
};

export const myNamesSection: WebSection = {
  id: "my-names",
  path: "/my-names",
  label: ({ shell }) => shell.sections.myNames,
  needs: "validator",
  isForUsers: true,
  pages: [{ path: "/my-names", page: myNames }],
};
