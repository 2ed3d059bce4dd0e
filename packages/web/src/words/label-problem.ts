/** The fault of a name that a user typed, for words to say. */
export type LabelProblem =
  | { readonly kind: "dot" }
  | { readonly kind: "capitals" }
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "too-long"; readonly longest: number };
