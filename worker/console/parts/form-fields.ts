import type { Context } from 'hono';
import type { App } from '../../platform/env.ts';

/** Not with `text()`: the runtime logs a warning for each form. */
export const readForm = async (c: Context<App>): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));

export const reasonIn = (fields: URLSearchParams): string =>
  fields.get('reason')?.trim().slice(0, 500) ?? '';

/** Shown when a form was sent without a reason; nothing was done. */
export const enterReason = 'Enter a reason.';

/** Shown when a form has no valid key; nothing was done. */
export const resendForm = 'The form is not valid. Reload the page and send it again.';

export const isActionKey = (text: string): boolean => /^[\w-]{1,100}$/.test(text);
