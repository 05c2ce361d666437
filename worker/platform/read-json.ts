import * as v from 'valibot';

/** Undefined for a text that is no JSON. */
export function jsonIn(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Undefined for a text that the schema refuses. */
export function parsedAs<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | null | undefined,
): v.InferOutput<Schema> | undefined {
  const read = v.safeParse(schema, jsonIn(text));
  return read.success ? read.output : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Undefined for a text that is no JSON object. */
export function objectIn(text: string | null | undefined) {
  const value = jsonIn(text);
  return isObject(value) && !Array.isArray(value) ? value : undefined;
}

/** The fields of an object of unknown shape; none for anything else. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};

export function textIn(value: unknown, name: string): string | undefined {
  const text = fieldsIn(value)[name];
  return typeof text === 'string' ? text : undefined;
}

/** Undefined for a body that breaks off or is no JSON, such as a proxy's error page; a schema then refuses it. */
export const jsonOf = (body: Pick<Response, 'json'>): Promise<unknown> =>
  body.json().catch(() => undefined);
