/**
 * How Node.js is started in an operator's image. An operator lives for months in a small memory limit, so its heap grows by little at
 * a time and is looked through before it is full, its young generation is small, and functions are optimized one after the other, with only
 * the short ones that they call in them. They are optimized early: most of its life it answers single events, each of which waits for it.
 * What was measured with other flags is in docs/performance.md.
 */
export const NODE_FLAGS: readonly string[] = [
  "--max-semi-space-size=2",
  "--no-parallel-scavenge",
  "--heap-growing-percent=80",
  "--incremental-marking-soft-trigger=50",
  "--incremental-marking-hard-trigger=60",
  "--concurrent-turbofan-max-threads=1",
  "--max-inlined-bytecode-size=100",
  "--invocation-count-for-turbofan=200",
];

/**
 * The environment it is started with. Compilers take memory in large pieces and give all of it back, which glibc keeps for the
 * next time unless it is told not to; other C libraries do not know these names.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_ENV: "production",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TOP_PAD_: "16384",
};
