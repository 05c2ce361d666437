/** A mail that was taken. */
export interface Sent {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** ISO 8601. */
  at: string;
}

export interface MailState {
  mails: Record<string, Sent>;
  /** What was sent under each idempotency key: the mail's id, and the body. */
  keys: Record<string, { id: string; body: string }>;
}

type Taken = { id?: string; error?: { status: number; name: string } };

const refused = (status: number, name: string): Taken => ({ error: { status, name } });
const address = /^(?:[^<>]+ <)?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?$/;

/** Takes a mail once a key. */
export function take(
  state: MailState,
  body: Record<string, unknown> | null,
  key: string | null,
): Taken {
  const { from, to, subject, text, html } = body ?? {};
  const people = ([] as unknown[]).concat(to ?? []);
  const complete = [from, subject, text ?? html].every((part) => typeof part === 'string' && part);
  if (!complete || people.length === 0) return refused(422, 'missing_required_field');
  if (![from, ...people].every((one) => address.test(String(one)))) {
    return refused(422, 'validation_error');
  }
  if (key !== null && (key.length < 1 || key.length > 256)) {
    return refused(400, 'invalid_idempotency_key');
  }
  const written = JSON.stringify(body);
  const before = key === null ? undefined : state.keys[key];
  if (before) return before.body === written ? before : refused(409, 'invalid_idempotent_request');
  const id = crypto.randomUUID();
  const parts = { subject: String(subject), text: String(text ?? ''), html: String(html ?? '') };
  const at = new Date().toISOString();
  state.mails[id] = { id, from: String(from), to: people.map(String), ...parts, at };
  if (key !== null) state.keys[key] = { id, body: written };
  return { id };
}
