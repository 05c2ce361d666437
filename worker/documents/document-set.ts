import type { Kv, KvReader } from './kv.ts';

/** The message is one sentence for the person who publishes. */
export class DocumentError extends Error {}

/** Texts by file name, such as `flows.json`; null for a document that does not exist. */
export type Documents = Readonly<Record<string, string | null>>;

export interface Version {
  id: string;
  /** ISO 8601, UTC. */
  time: string;
  who: string;
  /** Identifies the content; empty if only reading the documents would tell. */
  fingerprint: string;
  /** File names without `.json`. */
  files: string[];
}

/** Keys that a person wrote without these commands, or that a build without a manifest published. */
interface WrittenByHand {
  written: Readonly<Record<string, string>>;
  /** The live documents. @param published what the manifest names */
  over: (published: Documents) => Documents;
  version?: string;
}

export interface ReadableSet {
  name: 'config' | 'content';
  writtenByHand(kv: KvReader): Promise<WrittenByHand>;
}

/** Documents that are published, listed and rolled back together. */
export interface DocumentSet extends ReadableSet {
  /** What visitors get while nothing is published. */
  builtIn: Documents;
  /**
   * One line each. Documents with an error would not be served, or break what the live ones promised.
   * @param live those that these would replace
   */
  problems(documents: Documents, live?: Documents): { errors: string[]; warnings: string[] };
  /** An earlier version with what may not be taken back. */
  restored(earlier: Documents, live: Documents): Documents;
  /** Whether visitors get these documents, or an earlier version because these are invalid. */
  isServed(documents: Documents): boolean;
  /** What changes for visitors, one line each. */
  differences(before: Documents, after: Documents): string[];
  /** Versions from before there was a manifest. */
  earlierVersions(kv: Kv): Promise<Version[]>;
  /** @returns null for an unknown version @throws DocumentError when it cannot be read */
  readEarlier(kv: Kv, id: string): Promise<Documents | null>;
  /** How soon a change is live in local development. */
  localDelay: string;
}
