/** Private-use characters, so that no text contains a placeholder. */
const open = '\uE000';
const close = '\uE001';

const names = [
  'country.code',
  'country.name',
  'country.callingCode',
  'country.exampleNumber',
  'country.groups',
  // A crisis helpline: its provider, the number as written, and as dialled; the number for emergencies.
  'helpline.name',
  'helpline.number',
  'helpline.dial',
  'helpline.emergency',
  'servedAt',
  'timeZone',
  'offerStamp',
  // Day of the first renewal after a month, a quarter, or an intro of 3, 5 or 7 days.
  'renewal.month',
  'renewal.quarter',
  'renewal.3',
  'renewal.5',
  'renewal.7',
  // Day of the e-mail before an intro ends.
  'reminder.3',
  'reminder.5',
  'reminder.7',
] as const;

type PlaceholderName = (typeof names)[number];

export type PlaceholderValues = Readonly<Record<PlaceholderName, () => string>>;

const write = (name: PlaceholderName) => `${open}${name}${close}`;

export const placeholders = {
  country: {
    code: write('country.code'),
    name: write('country.name'),
    calling: write('country.callingCode'),
    example: write('country.exampleNumber'),
    groups: write('country.groups'),
  },
  help: {
    name: write('helpline.name'),
    number: write('helpline.number'),
    dial: write('helpline.dial'),
    emergency: write('helpline.emergency'),
  },
  servedAt: write('servedAt'),
  timeZone: write('timeZone'),
  offerStamp: write('offerStamp'),
  renewals: {
    month: write('renewal.month'),
    quarter: write('renewal.quarter'),
    3: write('renewal.3'),
    5: write('renewal.5'),
    7: write('renewal.7'),
    reminder3: write('reminder.3'),
    reminder5: write('reminder.5'),
    reminder7: write('reminder.7'),
  },
};

const known: ReadonlySet<string> = new Set(names);
const isName = (text: string): text is PlaceholderName => known.has(text);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

export const splitAtPlaceholders = (html: string): string[] => html.split(/(\uE000[\w.]+\uE001)/);

/** Escapes the values for HTML. Unknown names become empty. */
export function fillPlaceholders(html: string, values: PlaceholderValues): string {
  return html.replace(/\uE000([\w.]+)\uE001/g, (_all, name: string) =>
    isName(name) ? escapeHtml(values[name]()) : '',
  );
}

/** Fills streamed HTML. Buffers the start of a placeholder until the next chunk completes it. */
export function placeholderFiller(values: PlaceholderValues): TransformStream<string, string> {
  let buffered = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = buffered + chunk;
      const start = text.lastIndexOf(open);
      const isOpen = start >= 0 && /^\uE000[\w.]*$/.test(text.slice(start));
      const end = isOpen ? start : text.length;
      buffered = text.slice(end);
      controller.enqueue(fillPlaceholders(text.slice(0, end), values));
    },
    flush(controller) {
      if (buffered) controller.enqueue(buffered);
    },
  });
}
