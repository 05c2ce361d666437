import type { Context, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { App } from '../platform/env.ts';
import { type ErrorCode, Refusal } from '../platform/errors.ts';
import { jsonIn } from '../platform/read-json.ts';
import { mediaTypeOf } from './request-guard.ts';
import { isIdentifier } from './rules/personal-data-detector.ts';

/** A gateway's one-time token for a card; a card number is refused. */
export const nonceSchema = v.pipe(
  v.string(),
  v.regex(/^(?=.*[a-z])[\w-]{1,255}$/i),
  v.check(isIdentifier),
);

/** @throws Refusal `unsupported_media_type` for another media type, `malformed_body` for broken JSON */
export async function parseJson(c: Context, types = ['application/json']): Promise<unknown> {
  if (!types.includes(mediaTypeOf(c.req.raw))) throw new Refusal('unsupported_media_type');
  // Not with `json()`: the runtime logs a warning for each report of a browser.
  const body = jsonIn(new TextDecoder().decode(await c.req.arrayBuffer()));
  if (body === undefined) throw new Refusal('malformed_body');
  return body;
}

interface BodyRule {
  schema: v.GenericSchema;
  codes: readonly ErrorCode[];
  types: readonly string[];
}

export const bodyRules = new WeakMap<object, BodyRule>();

interface Validated<Schema extends v.GenericSchema> {
  in: { json: v.InferInput<Schema> };
  out: { json: v.InferOutput<Schema> };
}

/** Hono's validators read another type as `{}` and answer broken JSON with 500. @param codes refusals by field */
export function jsonBody<Schema extends v.GenericSchema>(
  schema: Schema,
  codes: Record<string, ErrorCode> = {},
  types: string[] = ['application/json'],
): MiddlewareHandler<App, string, Validated<Schema>> {
  const validate: MiddlewareHandler<App, string, Validated<Schema>> = async (c, next) => {
    const { success, output, issues } = v.safeParse(schema, await parseJson(c, types));
    if (!success) {
      const codeOf = ({ path }: v.BaseIssue<unknown>) => codes[String(path?.[0]?.key)];
      const issue = issues.find(codeOf) ?? issues[0];
      throw new Refusal(codeOf(issue) ?? 'malformed_body', v.getDotPath(issue) ?? undefined);
    }
    c.req.addValidatedData('json', output as object);
    await next();
  };
  bodyRules.set(validate, { schema, codes: ['malformed_body', ...Object.values(codes)], types });
  return validate;
}
