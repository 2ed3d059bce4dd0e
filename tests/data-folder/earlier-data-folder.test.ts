// Data folders of earlier releases open with equal digests and answers. README.md says how they were made.

import { test } from "vitest";
import { expectToGoOn, readAnswers } from "./upgrade.ts";

test("a data folder from before stores had versions opens with equal digests and answers, and goes on", () =>
  expectToGoOn({ dataFolder: "data-folder.br", recorded: readAnswers("answers.json") }));

test("a data folder of 0.1.0 opens with equal digests and answers, and goes on", () =>
  expectToGoOn({
    dataFolder: "0.1.0/data-folder.br",
    recorded: readAnswers("0.1.0/answers.json.br"),
  }));
