/** Reads what a caller accepts, such as encodings or types of content, with weights: 0 is not accepted. */
export function readWeights(accept: string): ReadonlyMap<string, number> {
  return new Map(accept.split(",").map(readRange));
}

/** `gzip;q=0.5`, as RFC 9110 has it: without a weight it is 1, and with one that cannot be read the caller takes none. */
function readRange(range: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return [name, weight >= 0 && weight <= 1 ? weight : 0];
}
