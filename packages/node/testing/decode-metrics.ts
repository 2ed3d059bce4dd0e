/** Reads Prometheus' protobuf form with a decoder of its own, after `io.prometheus.client`'s messages. */

export interface DecodedHistogram {
  readonly count: number;
  readonly sum: number;
  readonly schema: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  /** Index of the native bucket → its count. */
  readonly native: ReadonlyMap<number, number>;
  /** Upper bound of the classic bucket → its cumulative count. */
  readonly classic: ReadonlyMap<number, number>;
  readonly spans: number;
}

export interface DecodedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: number;
  readonly metrics: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number | DecodedHistogram;
  }[];
}

/** A varint or the bytes of any other field. */
type Field = { readonly number: number; readonly varint: bigint; readonly bytes: Buffer };

export function decodeFamilies(body: Uint8Array): readonly DecodedFamily[] {
  const families: DecodedFamily[] = [];
  let rest = Buffer.from(body);
  while (rest.length > 0) {
    const { value, length } = readVarint(rest);
    const end = length + Number(value);
    families.push(decodeFamily(rest.subarray(length, end)));
    rest = rest.subarray(end);
  }
  return families;
}

function decodeFamily(message: Buffer): DecodedFamily {
  const fields = readFields(message);
  return {
    name: textOf(fields, 1),
    help: textOf(fields, 2),
    type: Number(find(fields, 3)?.varint ?? 0n),
    metrics: all(fields, 4).map(({ bytes }) => {
      const metric = readFields(bytes);
      const pairs = all(metric, 1).map((label) => readFields(label.bytes));
      const histogram = find(metric, 7);
      const number = find(metric, 2) ?? find(metric, 3);
      return {
        labels: Object.fromEntries(pairs.map((pair) => [textOf(pair, 1), textOf(pair, 2)])),
        value:
          histogram === undefined
            ? doubleOf(readFields(number?.bytes ?? Buffer.alloc(0)), 1)
            : decodeHistogram(readFields(histogram.bytes)),
      };
    }),
  };
}

function decodeHistogram(fields: readonly Field[]): DecodedHistogram {
  const native = new Map<number, number>();
  const deltas: bigint[] = [];
  let packed = find(fields, 13)?.bytes ?? Buffer.alloc(0);
  while (packed.length > 0) {
    const { value, length } = readVarint(packed);
    deltas.push(zigzag(value));
    packed = packed.subarray(length);
  }
  let index = 0;
  let count = 0n;
  const spans = all(fields, 12).map(({ bytes }) => readFields(bytes));
  for (const span of spans) {
    index += Number(zigzag(find(span, 1)?.varint ?? 0n));
    for (let length = Number(find(span, 2)?.varint ?? 0n); length > 0; length--) {
      count += deltas.shift() ?? 0n;
      native.set(index++, Number(count));
    }
  }
  if (deltas.length > 0) throw new Error("there are more deltas than buckets");
  const buckets = all(fields, 3).map(({ bytes }) => readFields(bytes));
  return {
    count: Number(find(fields, 1)?.varint ?? 0n),
    sum: doubleOf(fields, 2),
    schema: Number(zigzag(find(fields, 5)?.varint ?? 0n)),
    zeroThreshold: doubleOf(fields, 6),
    zeroCount: Number(find(fields, 7)?.varint ?? 0n),
    native,
    classic: new Map(buckets.map((bucket) => [doubleOf(bucket, 2), Number(find(bucket, 1)?.varint ?? 0n)])),
    spans: spans.length,
  };
}

function readFields(message: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let rest = message;
  const take = (length: number): Buffer => {
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  };
  const varint = (): bigint => {
    const { value, length } = readVarint(rest);
    take(length);
    return value;
  };
  while (rest.length > 0) {
    const tag = Number(varint());
    const field = { number: tag >> 3, varint: 0n, bytes: Buffer.alloc(0) };
    if ((tag & 7) === 0) fields.push({ ...field, varint: varint() });
    else if ((tag & 7) === 1) fields.push({ ...field, bytes: take(8) });
    else if ((tag & 7) === 2) fields.push({ ...field, bytes: take(Number(varint())) });
    else throw new Error(`wire type ${tag & 7} is not used by these messages`);
  }
  return fields;
}

function readVarint(bytes: Buffer): { readonly value: bigint; readonly length: number } {
  let value = 0n;
  for (let length = 0; length < bytes.length; length++) {
    const byte = bytes[length] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * length);
    if (byte < 0x80) return { value, length: length + 1 };
  }
  throw new Error("a varint is cut off");
}

function zigzag(value: bigint): bigint {
  return (value & 1n) === 1n ? -((value + 1n) / 2n) : value / 2n;
}

function all(fields: readonly Field[], number: number): readonly Field[] {
  return fields.filter((field) => field.number === number);
}

function find(fields: readonly Field[], number: number): Field | undefined {
  return all(fields, number)[0];
}

function textOf(fields: readonly Field[], number: number): string {
  return find(fields, number)?.bytes.toString("utf8") ?? "";
}

function doubleOf(fields: readonly Field[], number: number): number {
  return find(fields, number)?.bytes.readDoubleLE() ?? 0;
}
