/**
 * The record time is the position that all nodes of a network share. Every answer of scan carries the one it stands
 * at, and a caller that knows of a later one can ask to be answered from there on: a little later, or with 503.
 */
export const RECORD_TIME_HEADER = "x-callsign-record-time";
export const WAIT_FOR_HEADER = "x-callsign-wait-for";

/** Beside the record time on answers of a scan proxy: the scans that agree on it. */
export const AGREED_SCANS_HEADER = "x-callsign-agreed-scans";
