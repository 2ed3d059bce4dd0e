import { useMemo } from "react";
import { useWebConfig } from "../config/web-config.ts";
import { showCoin, showDay, showDecimal, showLength, showPercent, showTime, showUsd } from "./format.ts";
import { useLanguage } from "./words.ts";

/** The formatters of `format.ts` in the language of the page, with the coin's acronym. */
export function useFormat() {
  const language = useLanguage();
  const { coinAcronym } = useWebConfig().names;
  return useMemo(
    () => ({
      language,
      decimal: (amount: string | number, max?: number) =>
        showDecimal(amount, language, max === undefined ? {} : { max }),
      usd: (amount: string, max?: number) => showUsd(amount, language, max),
      coin: (amount: string, max?: number) =>
        showCoin(amount, coinAcronym, language, max === undefined ? {} : { max }),
      percent: (share: string) => showPercent(share, language),
      time: (time: string | number) => showTime(time, language),
      day: (day: string) => showDay(day, language),
      length: (milliseconds: number) => showLength(milliseconds, language),
    }),
    [language, coinAcronym],
  );
}
