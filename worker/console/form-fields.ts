import type { Context } from 'hono';
import type { App } from '../env.ts';

export const readForm = async (c: Context<App>): Promise<URLSearchParams> =>
  new URLSearchParams(await c.req.text());

export const reasonIn = (fields: URLSearchParams): string =>
  fields.get('reason')?.trim().slice(0, 500) ?? '';

export const isActionKey = (text: string): boolean => /^[\w-]{1,100}$/.test(text);
