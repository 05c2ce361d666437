import { createHmac } from 'node:crypto';

/** X-Twilio-Signature of a webhook; twilio.com/docs/usage/security */
export function signed(url: string, form: Record<string, string>, token: string): string {
  const fields = Object.keys(form).sort();
  const text = fields.reduce((all, name) => `${all}${name}${form[name]}`, url);
  return createHmac('sha1', token).update(text).digest('base64');
}
