import type { Site } from './admin-client.ts';

/** What a command needs of the world around it; tests bring their own. */
export interface Context {
  site: Site;
  /** Prints a line. */
  say: (line: string) => void;
  /** Waits so many ms. */
  wait: (ms: number) => Promise<void>;
}
