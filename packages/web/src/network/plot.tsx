/** One value by day or by minute. The numbers are for drawing alone; the table beside the plots has them exactly. */
import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const HEIGHT = 168;
/** Distances of the marks on the axis, in seconds: the first is the unit itself. */
const STEPS = {
  day: [86_400, 172_800, 604_800, 1_209_600, 2_592_000, 5_184_000, 7_776_000],
  minute: [60, 300, 600, 1800, 3600, 10_800, 21_600],
} as const;
const AXES = {
  day: { day: "numeric", month: "short", timeZone: "UTC" },
  minute: { timeStyle: "short" },
} as const;

export interface PlotProps {
  readonly title: string;
  readonly kind: "line" | "bars";
  /** The distance between two times. */
  readonly unit?: keyof typeof STEPS;
  readonly times: readonly string[];
  readonly values: readonly (number | string)[];
  readonly showValue: (value: number | string) => string;
  readonly showTime: (time: string) => string;
  readonly language: string;
}

export function Plot(props: PlotProps) {
  const { title, times, values, showValue, showTime } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const theme = useShownTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme draws with other colours.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const plot = new UPlot(optionsOf(props, element.clientWidth, setPointed), dataOf(props), element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [props.times, props.values.length, props.kind, props.language, theme]);
  const shown = pointed ?? times.length - 1;
  const [time, value] = [times[shown], values[shown]];
  return (
    <figure aria-label={title}>
      <div className="plot-head">
        <h3>{title}</h3>
        <span className="small soft numbers">
          {time === undefined || value === undefined ? "" : `${showValue(value)} · ${showTime(time)}`}
        </span>
      </div>
      <div className="plot" ref={frame} aria-hidden="true" />
    </figure>
  );
}

function secondsOf(time: string): number {
  return new Date(time).getTime() / 1000;
}

function dataOf({ times, values }: PlotProps): UPlot.AlignedData {
  return [times.map(secondsOf), values.map(Number)];
}

function optionsOf(
  { kind, language, unit = "day" }: PlotProps,
  width: number,
  onPoint: (index: number | null) => void,
): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const timeText = new Intl.DateTimeFormat(language, AXES[unit]);
  const numberText = new Intl.NumberFormat(language, { notation: "compact" });
  // The first and the last bar are shown whole.
  const margin = kind === "bars" ? STEPS[unit][0] / 2 : 0;
  const axis = {
    stroke: colour("--ink-soft"),
    font: "12px system-ui",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: (_, min, max) => [min - margin, max + margin] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        incrs: [...STEPS[unit]],
        space: 70,
        values: (_, splits) => splits.map((seconds) => timeText.format(new Date(seconds * 1000))),
      },
      {
        ...axis,
        size: 56,
        incrs: [
          1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e12, 1e15,
        ],
        values: (_, splits) => splits.map((value) => numberText.format(value)),
      },
    ],
    series: [
      {},
      {
        stroke: colour("--accent"),
        fill: kind === "bars" ? colour("--accent") : colour("--accent-soft"),
        width: kind === "bars" ? 0 : 2,
        points: { show: false },
        ...(kind === "bars" && UPlot.paths.bars !== undefined
          ? { paths: UPlot.paths.bars({ size: [0.7, 28], radius: 0.2 }) }
          : {}),
      },
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** Follows the document's theme. */
function useShownTheme(): string {
  const [theme, setTheme] = useState(readShownTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(readShownTheme()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

function readShownTheme(): string {
  return document.documentElement.dataset["theme"] ?? "";
}
