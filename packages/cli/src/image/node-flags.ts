/**
 * How Node.js is started in an operator's image. An operator lives for months in a small memory limit, so its heap grows by little at
 * a time, and its young generation is small: large enough that what one reconcile makes is gone before it would be kept, small enough not
 * to count. What was measured with other flags is in docs/performance.md.
 */
export const NODE_FLAGS: readonly string[] = [
  "--enable-source-maps",
  "--max-semi-space-size=4",
  "--no-parallel-scavenge",
  "--heap-growing-percent=40",
];
