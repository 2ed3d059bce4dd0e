/** A request as it arrived, already matched to its endpoint. */
export interface RawRequest {
  /** Path parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string without its `?`. */
  readonly search: string;
  readonly contentType: string | undefined;
  /** Empty if there is none. */
  readonly body: string;
}
