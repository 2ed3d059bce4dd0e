/** RequestWithdrawal: the DSO's notice that a request may be withdrawn, for its user to see (decision 0002). */
import { implement } from "../../engine/template.ts";
import { RequestWithdrawal } from "./declarations/names.ts";

export const requestWithdrawal = implement(RequestWithdrawal, {
  signatories: ({ dso }) => [dso],
  observers: ({ user }) => [user],
});
