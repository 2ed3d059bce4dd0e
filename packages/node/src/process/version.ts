/** The version of this release, which all its packages share. */
import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
