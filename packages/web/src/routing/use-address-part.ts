import { useParams } from "wouter";

/** A parameter of the address, decoded. A text that cannot be decoded is taken as it is. */
export function useAddressPart(name: string): string {
  const text = useParams<Record<string, string>>()[name] ?? "";
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
