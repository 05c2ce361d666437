import * as v from 'valibot';
import { dayMs } from '../../platform/durations.ts';
import { jsonIn } from '../../platform/read-json.ts';
import type { Testimonial } from '../page-content.ts';
import type { FlatTexts } from './text-overrides.ts';

const text = (maxLength: number) =>
  v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(maxLength));
const language = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z\d]{2,8})*$/, 'not a language'));
/** Where the claim or review can be verified; pages show it. */
const source = text(160);

const claim = v.object({
  text: text(120),
  source,
  language,
  date: v.optional(v.pipe(v.string(), v.isoDate('not a date'))),
});
const review = v.object({
  name: text(60),
  text: text(400),
  img: v.optional(
    v.pipe(v.string(), v.regex(/^\/[\w-][\w/.-]{0,120}$/, 'not a path of this site')),
  ),
  source,
  language,
  about: v.optional(v.picklist(['child', 'parent', 'partner', 'friend'])),
});

/** Per language. A page shows all entries of its language, so this bounds the page. */
const maxCount = { claims: 10, reviews: 12 };

function perLanguage<One extends { language: string }>(key: keyof typeof maxCount) {
  const count = (all: readonly One[], of: string) =>
    all.filter(({ language }) => language === of).length;
  return v.check<One[], string>(
    (all) => all.every(({ language }) => count(all, language) <= maxCount[key]),
    `over ${maxCount[key]} ${key} in one language`,
  );
}

/** Each key has an array, of which the first element is used. */
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

type Claim = v.InferOutput<typeof claim>;
type StoredReview = v.InferOutput<typeof review>;

export interface ContentMap {
  claims: readonly Claim[];
  reviews: readonly StoredReview[];
}

const maxClockSkewMs = dayMs;

export interface ContentManifest {
  timestamp: number;
  /** `content` and languages; undefined when the service does not list them. */
  files?: readonly string[] | undefined;
  /** Of the files, where they are stored by their hashes. */
  hashes?: ReadonlyMap<string, string>;
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

export class InvalidContent extends Error {}

function read<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  if (text.length > maxLength) throw new InvalidContent('larger than 1 MB');
  const value = jsonIn(text);
  if (value === undefined) throw new InvalidContent('not JSON');
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new InvalidContent(`${v.getDotPath(issue) ?? 'document'}: ${issue.message}`);
}

/** @param now ms since 1970 @throws InvalidContent */
export function readContentManifest(text: string, now: number): ContentManifest {
  const found = read(manifest, text);
  if (found.timestamp > now + maxClockSkewMs) throw new InvalidContent('timestamp: in the future');
  return found;
}

export function readMap(text: string): ContentMap {
  const { claims = [[]], reviews = [[]] } = read(map, text);
  return { claims: claims[0], reviews: reviews[0] };
}

/** A language's texts by key. @throws InvalidContent */
export const readFlat = (text: string): FlatTexts => read(flat, text);

export function claimsAndReviews(
  map: ContentMap | undefined,
  language: string,
): { reviews: Testimonial[]; claims: Testimonial[] } {
  const own = <One extends { language: string }>(all: readonly One[] = []) =>
    all.filter((one) => one.language === language);
  return {
    claims: own(map?.claims).map(({ text, source, date }) => ({ text, source, date })),
    reviews: own(map?.reviews).map(({ text, source, name, img, about }) => ({
      text,
      source,
      name,
      img,
      about,
    })),
  };
}
