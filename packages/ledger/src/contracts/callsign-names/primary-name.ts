/**
 * PrimaryName: the name that a party wants to be called by. Only the party sets and removes it, and the DSO sees it. The contract
 * checks no entry, only that the name is no longer than a name can be: readers count it only for a live entry of the party itself (decision 0073).
 */
import { implement } from "../../engine/template.ts";
import { PrimaryName } from "./declarations/primary-name.ts";

/** The length of the longest name that SVs accept now. It stays as it is here, whatever they accept later: logs are replayed. */
const LONGEST_NAME = 60;

const userAlone = ({ user }: PrimaryName) => [user];

export const primaryName = implement(PrimaryName, {
  signatories: userAlone,
  observers: ({ dso }) => [dso],
  ensure: ({ name }) => name.length <= LONGEST_NAME,
  choices: {
    PrimaryName_Set: {
      controllers: userAlone,
      exercise: ({ update, contract, argument: { name, expiresAt } }) => ({
        primaryName: update.create(PrimaryName, { ...contract, name, expiresAt }),
      }),
    },
    PrimaryName_Remove: { controllers: userAlone, exercise: () => ({}) },
  },
});
