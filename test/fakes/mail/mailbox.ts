export interface SentEmail {
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
  mails: Record<string, SentEmail>;
  /** The e-mail's id and body under each idempotency key. */
  keys: Record<string, { id: string; body: string }>;
}

type Result = { id?: string; error?: { status: number; name: string } };

const refused = (status: number, name: string): Result => ({ error: { status, name } });
const address = /^(?:[^<>]+ <)?[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+>?$/;

/** Accepts an e-mail once per idempotency key. */
export function acceptEmail(
  state: MailState,
  body: Record<string, unknown> | null,
  key: string | null,
): Result {
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
  const earlier = key === null ? undefined : state.keys[key];
  if (earlier)
    return earlier.body === written ? earlier : refused(409, 'invalid_idempotent_request');
  const id = crypto.randomUUID();
  const parts = { subject: String(subject), text: String(text ?? ''), html: String(html ?? '') };
  const at = new Date().toISOString();
  state.mails[id] = { id, from: String(from), to: people.map(String), ...parts, at };
  if (key !== null) state.keys[key] = { id, body: written };
  return { id };
}
