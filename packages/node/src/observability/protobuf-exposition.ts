/**
 * Metrics in Prometheus' protobuf form: `io.prometheus.client.MetricFamily` messages, each behind its length. It is the
 * only form that has native histograms. Loaded when a scraper first asks for it.
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { countUpTo, type HistogramSnapshot, ZERO_THRESHOLD } from "./exponential-histogram.ts";
import type { MetricFamily } from "./metrics.ts";

export interface ProtobufOptions {
  readonly nativeHistograms: boolean;
}

/** `MetricType`. */
const TYPES = { counter: 0, gauge: 1, histogram: 4 } as const;

/** Field numbers of the messages. */
const FAMILY = { name: 1, help: 2, type: 3, metric: 4 } as const;
const METRIC = { label: 1, gauge: 2, counter: 3, histogram: 7 } as const;
const LABEL = { name: 1, value: 2 } as const;
const NUMBER = { value: 1 } as const;
const BUCKET = { cumulativeCount: 1, upperBound: 2 } as const;
const SPAN = { offset: 1, length: 2 } as const;
const HISTOGRAM = {
  ...{ count: 1, sum: 2, bucket: 3, schema: 5, zeroThreshold: 6, zeroCount: 7 },
  ...{ positiveSpan: 12, positiveDelta: 13 },
} as const;

export function encodeFamilies(families: readonly MetricFamily[], options: ProtobufOptions): Uint8Array {
  const writer = new BinaryWriter();
  for (const family of families) {
    writer.fork();
    text(writer, FAMILY.name, family.name);
    text(writer, FAMILY.help, family.help);
    writer.tag(FAMILY.type, WireType.Varint).int32(TYPES[family.type]);
    for (const sample of family.samples) {
      message(writer, FAMILY.metric, () => {
        for (const [name, value] of Object.entries(sample.labels)) {
          message(writer, METRIC.label, () => {
            text(writer, LABEL.name, name);
            text(writer, LABEL.value, value);
          });
        }
        writeValue(writer, family, sample.value, options);
      });
    }
    writer.join();
  }
  return writer.finish();
}

function writeValue(
  writer: BinaryWriter,
  { type, bounds }: MetricFamily,
  value: number | HistogramSnapshot,
  { nativeHistograms }: ProtobufOptions,
): void {
  if (typeof value === "number") {
    const field = type === "counter" ? METRIC.counter : METRIC.gauge;
    message(writer, field, () => double(writer, NUMBER.value, value));
    return;
  }
  message(writer, METRIC.histogram, () => {
    writer.tag(HISTOGRAM.count, WireType.Varint).uint64(value.count);
    double(writer, HISTOGRAM.sum, value.sum);
    if (nativeHistograms) writeNative(writer, value);
    else writeClassic(writer, value, bounds);
  });
}

function writeClassic(writer: BinaryWriter, value: HistogramSnapshot, bounds: readonly number[]): void {
  for (const bound of [...bounds, Number.POSITIVE_INFINITY]) {
    const count = bound === Number.POSITIVE_INFINITY ? value.count : countUpTo(value, bound);
    message(writer, HISTOGRAM.bucket, () => {
      writer.tag(BUCKET.cumulativeCount, WireType.Varint).uint64(count);
      double(writer, BUCKET.upperBound, bound);
    });
  }
}

/** Spans say which buckets there are, each by its distance to the one before; deltas are between neighbouring counts. */
function writeNative(writer: BinaryWriter, { scale, zeros, first, counts }: HistogramSnapshot): void {
  writer.tag(HISTOGRAM.schema, WireType.Varint).sint32(scale);
  double(writer, HISTOGRAM.zeroThreshold, ZERO_THRESHOLD);
  writer.tag(HISTOGRAM.zeroCount, WireType.Varint).uint64(zeros);
  for (const { offset, length } of listSpans(first, counts)) {
    message(writer, HISTOGRAM.positiveSpan, () => {
      writer.tag(SPAN.offset, WireType.Varint).sint32(offset);
      writer.tag(SPAN.length, WireType.Varint).uint32(length);
    });
  }
  message(writer, HISTOGRAM.positiveDelta, () => {
    let before = 0;
    for (const count of counts) {
      if (count === 0) continue;
      writer.sint64(count - before);
      before = count;
    }
  });
}

/** Runs of buckets that are not empty. Without any, an empty one: it tells a native histogram from a classic one. */
function listSpans(first: number, counts: readonly number[]) {
  const spans: { offset: number; length: number }[] = [];
  let end = 0;
  for (const [place, count] of counts.entries()) {
    if (count === 0) continue;
    const index = first + place;
    const last = spans.at(-1);
    if (last !== undefined && index === end) last.length++;
    else spans.push({ offset: index - end, length: 1 });
    end = index + 1;
  }
  return spans.length === 0 ? [{ offset: 0, length: 0 }] : spans;
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function double(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Bit64).double(value);
}
