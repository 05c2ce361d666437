import { request } from './confirm.ts';
import { sheetOf } from './field-element.ts';
import { expiryOf, finalError, format, judge } from './formats.ts';
import type {
  AmongFields,
  FieldOptions,
  FieldSetup,
  FieldType,
  FieldValue,
  FromField,
  ToField,
} from './messages.ts';

const PATIENCE = 1_000;

/** Asks the sibling fields for their texts; those that never answer are not on the page. */
function collect(channel: BroadcastChannel): Promise<Partial<Record<FieldType, string>>> {
  return new Promise((done) => {
    const texts: Partial<Record<FieldType, string>> = {};
    const finish = () => {
      clearTimeout(timer);
      channel.removeEventListener('message', hear);
      done(texts);
    };
    const hear = ({ data }: MessageEvent<AmongFields>) => {
      if (data.kind !== 'collected') return;
      texts[data.type] = data.text;
      if (texts.cardExpiry !== undefined && texts.cardCvc !== undefined) finish();
    };
    const timer = setTimeout(finish, PATIENCE);
    channel.addEventListener('message', hear);
    channel.postMessage({ kind: 'collect' } satisfies AmongFields);
  });
}

/** The card of the three fields as a payment method; the only place from which a number is sent. */
async function createMethod(
  { key, api }: FieldSetup,
  number: string,
  details: object,
  channel: BroadcastChannel,
): Promise<object> {
  const { cardExpiry = '', cardCvc } = await collect(channel);
  const brand = judge('cardNumber', number, 'unknown').brand ?? 'unknown';
  const errors = [
    finalError('cardExpiry', judge('cardExpiry', cardExpiry, brand)),
    cardCvc === undefined ? undefined : finalError('cardCvc', judge('cardCvc', cardCvc, brand)),
  ];
  const error = errors.find(Boolean);
  if (error) return { error };
  const { month, year } = expiryOf(cardExpiry);
  const card = {
    number: number.replaceAll(' ', ''),
    exp_month: month,
    exp_year: year,
    ...(cardCvc ? { cvc: cardCvc } : {}),
  };
  const made = await request(api, key, 'POST', '/payment_methods', {
    ...details,
    type: 'card',
    card,
  });
  return made.error ? made : { paymentMethod: made.object };
}

const setup: FieldSetup = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const { type, group, page } = setup;
const FORMS = {
  cardNumber: ['cc-number', 'Credit or debit card number', '1234 1234 1234 1234', 'cardnumber'],
  cardExpiry: ['cc-exp', 'Credit or debit card expiration date', 'MM / YY', 'exp-date'],
  cardCvc: ['cc-csc', 'Credit or debit card CVC/CVV', 'CVC', 'cvc'],
} as const;
const [autocomplete, label, placeholder, name] = FORMS[type];
let brand = 'unknown';
let value: FieldValue = { empty: true, complete: false };
document.title = label;
const channel = new BroadcastChannel(group);
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];
const say = (message: FromField) => parent.postMessage(message, page);
const tell = (message: AmongFields) => channel.postMessage(message);
const input = document.createElement('input');
input.name = name;
input.type = 'text';
input.inputMode = 'numeric';
input.spellcheck = false;
input.setAttribute('autocomplete', autocomplete);
input.setAttribute('autocorrect', 'off');
input.setAttribute('autocapitalize', 'none');
input.setAttribute('aria-label', label);
input.setAttribute('aria-invalid', 'false');
const icon = document.createElement('span');
icon.className = 'icon';
icon.setAttribute('aria-hidden', 'true');
function apply(options: FieldOptions): void {
  setup.options = { ...setup.options, ...options };
  sheet.replaceSync(sheetOf(setup.options));
  input.placeholder = setup.options.placeholder ?? placeholder;
  input.disabled = setup.options.disabled ?? false;
  icon.hidden = type !== 'cardNumber' || !setup.options.showIcon;
}

function change(next: FieldValue): void {
  const before = JSON.stringify(value);
  value = next;
  input.className = next.error ? 'invalid' : next.empty ? 'empty' : next.complete ? 'complete' : '';
  input.setAttribute('aria-invalid', String(next.error !== undefined));
  icon.textContent = next.brand && next.brand !== 'unknown' ? next.brand : '';
  if (JSON.stringify(next) !== before) say({ kind: 'change', value: next });
}

function typed(event?: Event): void {
  const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret === input.value.length;
  const before = input.value.slice(0, caret).replace(/\D/g, '').length;
  input.value = format(type, input.value, brand, deleting);
  if (!atEnd) {
    let at = 0;
    for (let seen = 0; at < input.value.length && seen < before; at++) {
      if (/\d/.test(input.value[at] ?? '')) seen += 1;
    }
    input.setSelectionRange(at, at);
  }
  change(judge(type, input.value, brand));
  if (type === 'cardNumber' && value.brand && value.brand !== brand) {
    brand = value.brand;
    tell({ kind: 'brand', brand });
  }
}

input.addEventListener('input', typed);
input.addEventListener('focus', () => say({ kind: 'focus' }));
input.addEventListener('blur', () => {
  const error = value.empty ? undefined : finalError(type, value);
  if (error) change({ ...value, error });
  say({ kind: 'blur' });
});

input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') say({ kind: 'escape' });
  if (key === 'Enter') say({ kind: 'submit' });
});

channel.addEventListener('message', ({ data }: MessageEvent<AmongFields>) => {
  if (data.kind === 'brand' && type === 'cardCvc') {
    brand = data.brand;
    if (!value.empty) typed();
  }
  if (data.kind === 'collect' && type !== 'cardNumber') {
    const error = finalError(type, value);
    if (error) change({ ...value, error });
    tell({ kind: 'collected', type, text: input.value });
  }
});

addEventListener('message', async ({ data, source }: MessageEvent<ToField>) => {
  if (source !== parent) return;
  if (data.kind === 'focus') input.focus();
  if (data.kind === 'blur') input.blur();
  if (data.kind === 'update') apply(data.options);
  if (data.kind === 'clear') {
    input.value = '';
    typed();
  }
  if (data.kind !== 'create') return;
  const error = finalError(type, value);
  if (error) change({ ...value, error });
  const result = error ? { error } : await createMethod(setup, input.value, data.details, channel);
  say({ kind: 'answer', call: data.call, result });
});

apply({});
input.className = 'empty';
document.body.append(input, icon);
say({ kind: 'ready' });
