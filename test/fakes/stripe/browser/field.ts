import type { StripeElementStyleVariant } from '@stripe/stripe-js';
import {
  type CardField,
  expiryOf,
  type FieldValue,
  finalError,
  format,
  judge,
} from '../../browser/card-format.ts';
import {
  type AmongFields,
  type FieldSetup,
  type FromFrame,
  request,
  setupOf,
  type ToField,
} from './messages.ts';

const { field, style, fonts, placeholder, showIcon, group, key, api, page } = setupOf<FieldSetup>();

/** Sends to the other fields of the form, which are frames of the same origin. */
function sendToFields(message: AmongFields): void {
  for (let at = 0; at < parent.length; at += 1) {
    const sibling = parent[at];
    try {
      if (sibling !== window && sibling?.location.origin === location.origin)
        sibling.postMessage({ ...message, group }, location.origin);
    } catch {
      // A frame of another origin.
    }
  }
}

/** @returns a function that ends listening */
function onFieldMessage(listen: (message: AmongFields) => void): () => void {
  const onMessage = ({ data, origin, source }: MessageEvent) => {
    if (source !== parent && origin === location.origin && data.group === group) listen(data);
  };
  addEventListener('message', onMessage);
  return () => removeEventListener('message', onMessage);
}

const styles = ['color', 'fontFamily', 'fontSize', 'lineHeight', 'textAlign'];
const safe = (value: unknown) => String(value).replace(/[{}<>;]/g, '');
function rule(selector: string, variant: StripeElementStyleVariant = {}): string {
  const { iconColor, '::placeholder': hint, ...own } = variant;
  const unknown = Object.keys(own).find((name) => !styles.includes(name));
  if (unknown) throw new Error(`the fake Stripe.js has no style ${unknown}`);
  const lines = Object.entries(own).map(
    ([name, value]) => `${name.replace(/[A-Z]/, (letter) => `-${letter}`)}:${safe(value)}`,
  );
  const icon = iconColor ? `${selector}+.icon{color:${safe(iconColor)}}` : '';
  return `${selector}{${lines.join(';')}}${icon}${hint ? rule(`${selector}::placeholder`, hint) : ''}`;
}

const collectTimeoutMs = 1_000;

/** Requests the texts of the sibling fields; those that do not respond are not on the page. */
function collect(): Promise<Partial<Record<CardField, string>>> {
  return new Promise((done) => {
    const texts: Partial<Record<CardField, string>> = {};
    const finish = () => {
      clearTimeout(timer);
      end();
      done(texts);
    };
    const end = onFieldMessage((data) => {
      if (data.kind !== 'collected') return;
      texts[data.field] = data.text;
      if (texts.expiry !== undefined && texts.cvc !== undefined) finish();
    });
    const timer = setTimeout(finish, collectTimeoutMs);
    sendToFields({ kind: 'collect' });
  });
}

/** The three fields' card as a payment method; card numbers are sent only from here. */
async function createMethod(details: object): Promise<object> {
  const { expiry = '', cvc = '' } = await collect();
  const error =
    settle() ??
    finalError('expiry', judge('expiry', expiry)) ??
    finalError('cvc', judge('cvc', cvc));
  if (error) return { error };
  const { month, year } = expiryOf(expiry);
  const card = { number: input.value.replaceAll(' ', ''), exp_month: month, exp_year: year, cvc };
  const response = await request(api, key, 'POST', '/payment_methods', {
    ...details,
    type: 'card',
    card,
  });
  return response.error ? response : { paymentMethod: response.object };
}

const forms = {
  number: ['cc-number', 'Credit or debit card number', '1234 1234 1234 1234', 'cardnumber'],
  expiry: ['cc-exp', 'Credit or debit card expiration date', 'MM / YY', 'exp-date'],
  cvc: ['cc-csc', 'Credit or debit card CVC/CVV', 'CVC', 'cvc'],
} as const;
const [autocomplete, label, hint, name] = forms[field];
let value: FieldValue = { empty: true, complete: false };
document.title = label;
for (const { family, src, weight = 'normal' } of fonts)
  document.fonts.add(new FontFace(family, src, { weight }));
const sheet = new CSSStyleSheet();
sheet.replaceSync(rule('input', style.base) + rule('input.invalid', style.invalid));
document.adoptedStyleSheets = [sheet];
const post = (message: FromFrame) => parent.postMessage(message, page);
const input = document.createElement('input');
Object.assign(input, { name, type: 'text', inputMode: 'numeric', spellcheck: false });
input.placeholder = placeholder ?? hint;
input.setAttribute('autocomplete', autocomplete);
input.setAttribute('aria-label', label);
const icon = document.createElement('span');
icon.className = 'icon';
icon.setAttribute('aria-hidden', 'true');
icon.hidden = !showIcon;

function change(next: FieldValue): void {
  const before = JSON.stringify(value);
  value = next;
  input.className = next.error ? 'invalid' : '';
  input.setAttribute('aria-invalid', String(next.error !== undefined));
  const { brand = 'unknown' } = next;
  icon.textContent = brand === 'unknown' ? '' : brand;
  icon.toggleAttribute('data-brand', brand !== 'unknown');
  if (brand !== 'unknown') icon.dataset.brand = brand;
  if (JSON.stringify(next) !== before) post({ kind: 'change', value: next });
}

/** Shows the error of the current value. */
function settle() {
  const error = finalError(field, value);
  if (error) change({ ...value, error });
  return error;
}

input.addEventListener('input', (event) => {
  const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
  input.value = format(field, input.value, deleting);
  change(judge(field, input.value));
});
input.addEventListener('focus', () => post({ kind: 'focus' }));
input.addEventListener('blur', () => {
  post({ kind: 'blur' });
  if (!value.empty) settle();
});
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') post({ kind: 'submit' });
});

onFieldMessage((data) => {
  if (data.kind !== 'collect' || field === 'number') return;
  settle();
  sendToFields({ kind: 'collected', field, text: input.value });
});

addEventListener('message', async ({ data, source }: MessageEvent<ToField>) => {
  if (source !== parent) return;
  if (data.kind === 'focus') input.focus();
  else post({ kind: 'answer', call: data.call, result: await createMethod(data.details) });
});

change({ empty: true, complete: false });
// Digits read from left to right beside any language.
input.dir = 'ltr';
if (style.base?.textAlign === 'right') document.body.dir = 'rtl';
document.body.append(input, icon);
post({ kind: 'ready' });
