/**
 * The four states of a round. The DSO alone signs them; users see them by disclosure, and read an open one
 * through OpenMiningRound_Fetch, which anybody may exercise. Numbers are never negative.
 */
import { implement } from "../../../engine/template.ts";
import type { PartyId } from "../../../values/party-id.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../declarations/round.ts";
import type { Round } from "../declarations/round-number.ts";

const dsoAlone = ({ dso }: { readonly dso: PartyId }) => [dso];
const isDefined = ({ round }: { readonly round: Round }) => round.number >= 0n;

export const openMiningRound = implement(OpenMiningRound, {
  signatories: dsoAlone,
  ensure: isDefined,
  choices: {
    OpenMiningRound_Fetch: {
      controllers: (_round, { p }) => [p],
      exercise: ({ contract: round }) => round,
    },
  },
});

export const summarizingMiningRound = implement(SummarizingMiningRound, {
  signatories: dsoAlone,
  ensure: isDefined,
});

export const issuingMiningRound = implement(IssuingMiningRound, {
  signatories: dsoAlone,
  ensure: isDefined,
});

export const closedMiningRound = implement(ClosedMiningRound, {
  signatories: dsoAlone,
  ensure: isDefined,
});
