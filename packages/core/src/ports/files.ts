/**
 * The files port: the little that the packages need of a file system.
 * Implemented by `@kubewright/node`.
 */

/** Reads and writes files. Paths are the implementation's. */
export interface Files {
  /** The whole file, or undefined when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Replaces the file in one step (a reader sees the old or the new content), creating folders as needed. */
  write(path: string, content: string | Uint8Array, options?: { readonly mode?: number }): Promise<void>;
}
