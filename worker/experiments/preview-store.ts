import type { KVNamespace } from '@cloudflare/workers-types';
import * as v from 'valibot';

const schema = v.object({
  /** Variant key, `intro/7d`. */
  arm: v.pipe(v.string(), v.regex(/^\w{1,32}(\/\w{1,32})?$/)),
  /** ISO 3166 alpha-2. */
  country: v.optional(v.pipe(v.string(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/))),
  /** BCP 47. */
  lng: v.optional(v.pipe(v.string(), v.maxLength(35))),
  /** Name or alias of a theme. */
  theme: v.optional(v.pipe(v.string(), v.maxLength(35))),
});

/** What a marketer's link shows, whoever opens it. */
export type Preview = v.InferOutput<typeof schema>;

/** How long a read may keep a page waiting, in ms, and an edge keep what it read, in seconds. */
const patience = 300;
const cacheTtl = 60;

/** Whether it can be the token of a preview: 128 bits, base64url. */
export const isPreviewToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

/**
 * The preview of a token.
 *
 * @returns null when there is none (never was, expired, or not a preview), 'late' when KV is down or slow
 */
export async function readPreview(
  kv: KVNamespace,
  token: string,
): Promise<Preview | null | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, patience, 'late');
  });
  try {
    const found = await Promise.race([
      (async () => kv.get(`preview/${token}`, { cacheTtl }))(),
      late,
    ]);
    return found === 'late' ? found : parse(found);
  } catch {
    return 'late';
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string | null): Preview | null {
  if (text === null) return null;
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}
