/** Limits of configuration, far beyond any that an operator writes. */
export const MAX_VALUES_FILE_BYTES: number = 1024 * 1024;
export const MAX_VALUES_FILES = 100;
export const MAX_SET_CHARACTERS = 100_000;
export const MAX_SET_INDEX = 1000;
export const MAX_CONFIG_DEPTH = 50;
export const MAX_SECRET_FILE_BYTES: number = 64 * 1024;
/** Values of a file or of all additional configuration: aliases and substitutions could double them again and again. */
export const MAX_CONFIG_NODES = 20_000;
/** Of one variable of additional configuration. */
export const MAX_HOCON_CHARACTERS = 256_000;
