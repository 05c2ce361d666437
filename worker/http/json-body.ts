import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { type ErrorCode, Refusal } from '../errors.ts';
import { mediaTypeOf } from './request-guard.ts';
import { isIdentifier } from './rules/is-identifier.ts';

/** A gateway's one-time name of a card; a card's own number never gets any further. */
export const nonceSchema = v.pipe(
  v.string(),
  v.regex(/^(?=.*[a-z])[\w-]{1,255}$/i),
  v.check(isIdentifier),
);

/**
 * The body, parsed.
 *
 * @throws Refusal `wrong_type` for another media type than these, `malformed_body` for broken JSON
 */
export async function parseJson(c: Context, types = ['application/json']): Promise<unknown> {
  if (!types.includes(mediaTypeOf(c.req.raw))) throw new Refusal('wrong_type');
  try {
    return await c.req.json();
  } catch {
    throw new Refusal('malformed_body');
  }
}

/** What a handler behind `jsonBody` finds in `c.req.valid('json')`. */
interface Checked<Schema extends v.GenericSchema> {
  in: { json: v.InferInput<Schema> };
  out: { json: v.InferOutput<Schema> };
}

/**
 * Middleware that leaves the body, as the schema has it, in `c.req.valid('json')`. Hono's own
 * validators take a body of another type for `{}`, and broken JSON for an error of ours.
 *
 * @param codes the refusal for each field that has its own; any other field is a `malformed_body`
 * @param types the media types that are read, `application/json` only unless told
 */
export function jsonBody<Schema extends v.GenericSchema>(
  schema: Schema,
  codes: Record<string, ErrorCode> = {},
  types?: string[],
): MiddlewareHandler<App, string, Checked<Schema>> {
  return async (c, next) => {
    const { success, output, issues } = v.safeParse(schema, await parseJson(c, types));
    if (!success) {
      const own = issues.flatMap(({ path }) => codes[String(path?.[0]?.key)] ?? []);
      throw new Refusal(own[0] ?? 'malformed_body');
    }
    c.req.addValidatedData('json', output as object);
    await next();
  };
}
