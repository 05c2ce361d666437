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
] as const;

type PlaceholderName = (typeof names)[number];

export interface PlaceholderValues extends Readonly<Record<PlaceholderName, () => string>> {
  /** The day of the first renewal. @param cycle a period such as `month`, or the days of an intro */
  renewal: (cycle: string) => string;
  /** The day of the e-mail before an intro of so many days ends. */
  reminder: (introDays: string) => string;
}

const write = (name: PlaceholderName | `${'renewal' | 'reminder'}.${string}`) =>
  `${open}${name}${close}`;

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
    renewal: (cycle: string | number) => write(`renewal.${cycle}`),
    reminder: (introDays: number) => write(`reminder.${introDays}`),
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

function textOf(name: string, values: PlaceholderValues): string {
  const [day = '', cycle = ''] = name.split('.');
  if (day === 'renewal' || day === 'reminder') return values[day](cycle);
  return isName(name) ? values[name]() : '';
}

/** Escapes the values for HTML. Unknown names become empty. */
export function fillPlaceholders(html: string, values: PlaceholderValues): string {
  return html.replace(/\uE000([\w.]+)\uE001/g, (_all, name: string) =>
    escapeHtml(textOf(name, values)),
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
