import { createHmac } from 'node:crypto';

/** Signs a form as Twilio signs what it tells a webhook. */
export function signed(url: string, form: Record<string, string>, token: string): string {
  const fields = Object.keys(form).sort();
  const text = fields.reduce((all, name) => `${all}${name}${form[name]}`, url);
  return createHmac('sha1', token).update(text).digest('base64');
}
