import manifest from "../../package.json" with { type: "json" };

/** The release of this program. All packages have the same. */
export const RELEASE: string = manifest.version;
