/** Connecting, with or without a proxy, may take this long. */
export const CONNECT_MS_MAX = 30_000;
