import * as v from 'valibot';
import type { FlatTexts } from './text-overrides.ts';

const words = (most: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(most));
const language = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/, 'no language'));
/** Where it can be read, or who said it when; shown beside what it is the source of. */
const source = words(160);

const claim = v.object({ text: words(120), source, language });
const review = v.object({
  name: words(60),
  text: words(400),
  /** A picture of our own origin. */
  img: v.optional(v.pipe(v.string(), v.regex(/^\/[\w-][\w/.-]{0,120}$/, 'no path of ours'))),
  source,
  language,
});

/** A language's page shows all that the language has, so that this bounds the page. */
const most = { claims: 10, reviews: 12 };

function perLanguage<One extends { language: string }>(key: keyof typeof most) {
  const count = (all: readonly One[], of: string) =>
    all.filter(({ language }) => language === of).length;
  return v.check<One[], string>(
    (all) => all.every(({ language }) => count(all, language) <= most[key]),
    `over ${most[key]} ${key} in one language`,
  );
}

/** The content map: each key holds an array, and its first element counts. */
const map = v.object({
  claims: v.optional(
    v.tupleWithRest([v.pipe(v.array(claim), v.maxLength(200), perLanguage('claims'))], v.unknown()),
  ),
  reviews: v.optional(
    v.tupleWithRest(
      [v.pipe(v.array(review), v.maxLength(500), perLanguage('reviews'))],
      v.unknown(),
    ),
  ),
});

/** A sentence that has to be true, with its source. */
type Claim = v.InferOutput<typeof claim>;
/** What a customer said, with its source. */
type StoredReview = v.InferOutput<typeof review>;

export interface ContentMap {
  claims: readonly Claim[];
  reviews: readonly StoredReview[];
}

/** Ms that a manifest may be ahead of our clock. */
const ahead = 24 * 60 * 60 * 1000;

/** When the content was last published, and what was. */
export interface Manifest {
  /** Ms since 1970. */
  timestamp: number;
  /** `content` and languages; undefined when the service does not say. */
  files?: readonly string[] | undefined;
}

const manifest = v.object({
  timestamp: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  files: v.optional(v.pipe(v.array(v.string()), v.maxLength(200))),
});

const flat = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value), 'a list'),
  v.record(v.string(), v.string()),
);

const maxLength = 1024 * 1024;

/** Why a document of the content service does not count. */
export class InvalidContent extends Error {}

function read<Schema extends v.GenericSchema>(schema: Schema, text: string) {
  if (text.length > maxLength) throw new InvalidContent('larger than 1 MB');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidContent('not JSON');
  }
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output as v.InferOutput<Schema>;
  const [issue] = issues;
  throw new InvalidContent(`${v.getDotPath(issue) ?? 'document'}: ${issue.message}`);
}

/**
 * Reads a manifest.
 *
 * @param now ms since 1970
 * @throws InvalidContent
 */
export function readManifest(text: string, now: number): Manifest {
  const found = read(manifest, text);
  if (found.timestamp > now + ahead) throw new InvalidContent('timestamp: not yet');
  return found;
}

/** Reads a content map; keys that nobody asks for are left out. @throws InvalidContent */
export function readMap(text: string): ContentMap {
  const { claims = [[]], reviews = [[]] } = read(map, text);
  return { claims: claims[0], reviews: reviews[0] };
}

/** Reads a language's file, text by key. @throws InvalidContent */
export const readFlat = (text: string): FlatTexts => read(flat, text);
