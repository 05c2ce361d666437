import type { Kv } from '../kv-client.ts';

/** What a command needs of the world around it; tests bring their own. */
export interface Context {
  kv: Kv;
  /** Whether it is the live site, not this machine. */
  remote: boolean;
  /** Prints a line. */
  say: (line: string) => void;
  /** Asks the person; false for a no. */
  confirm: (question: string) => Promise<boolean>;
  now: () => Date;
  /** Who types, for the history. */
  who: string;
}
