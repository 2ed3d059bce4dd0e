import { int32Parameter } from "../wire/numbers.ts";

/** Splice asks for a page size; the seed lets a caller leave it out, and then this many come. */
const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

export const limitParameter = int32Parameter
  .refine((size) => size >= 1, "Limit must be at least 1.")
  .refine((size) => size <= MAX_PAGE_SIZE, {
    error: ({ input }) => `Exceeded limit maximum (${input} > ${MAX_PAGE_SIZE}).`,
  })
  .meta({ minimum: 1, maximum: MAX_PAGE_SIZE });

export const pageSizeParameter = limitParameter.default(DEFAULT_PAGE_SIZE);
