/** Undefined for a text that is no JSON. */
export function jsonIn(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Undefined for a body that breaks off or is no JSON, such as a proxy's error page; a schema then refuses it. */
export const jsonOf = (body: Pick<Response, 'json'>): Promise<unknown> =>
  body.json().catch(() => undefined);
