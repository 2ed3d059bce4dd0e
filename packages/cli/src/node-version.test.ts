import { expect, test } from "vitest";
import { describeOldNode } from "./node-version.js";

test.each(["24.7.0", "24.21.0", "25.1.0", "100.0.0", "24.7.0-nightly"])(
  "Node %s is new enough",
  (version) => {
    expect(describeOldNode(version)).toBe(null);
  },
);

test.each(["0.12.18", "8.17.0", "20.20.2", "22.18.0", "23.11.1", "24.0.0", "24.6.0"])(
  "Node %s is too old: what is needed, what was found, how to get it",
  (version) => {
    expect(describeOldNode(version)).toBe(
      `callsign needs Node 24.7 or newer, and this is Node ${version}. ` +
        "Install a newer one from https://nodejs.org, or with a version manager such as nvm: nvm install 24",
    );
  },
);
