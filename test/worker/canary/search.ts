import type { Needle } from './secrets.ts';
import type { Trace } from './trace.ts';

/** The needles found in a text, in any encoding: `email`, `phone base64`. */
export function search(text: string, needles: readonly Needle[]): string[] {
  const views = viewsOf(text);
  const folded = views.map((view) => view.toLowerCase());
  const found = needles.filter((needle) =>
    (needle.folded ? folded : views).some((view) => view.includes(needle.text)),
  );
  return [...new Set(found.map(({ names }) => names))].sort();
}

/** Decoders for encoded texts; a text in another format is unchanged. */
const decoders: ((text: string) => string)[] = [
  (text) =>
    text.replace(/(%[\da-f]{2})+/gi, (run) => {
      const bytes = run.slice(1).split('%');
      return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
    }),
  (text) =>
    text.replace(/\\u([\da-f]{4})/gi, (_all, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  (text) => text.replace(/\\(["\\/])/g, '$1'),
  (text) =>
    text.replace(/&#(x?)([\da-f]{1,6});/gi, (_all, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    ),
  (text) => text.replace(/&amp;/gi, '&'),
];

const deepest = 4;

/** Characters between the digits of a number. */
const between = /(?<=\d)[\s\u00a0().\-–/+]+(?=\d)/g;

/**
 * A text in its original form and after each round of decoding, each also without separators between digits, and
 * with spaces for plus signs.
 */
function viewsOf(text: string): string[] {
  const read = new Set([text]);
  let last = text;
  for (let round = 0; round < deepest; round += 1) {
    last = decoders.reduce((before, decode) => decode(before), last);
    read.add(last);
  }
  const all = [...read];
  return [
    ...new Set([
      ...all,
      ...all.map((one) => one.replaceAll('+', ' ')),
      ...all.map((one) => one.replace(between, '')),
    ]),
  ];
}

/** A separator that never occurs within a number. */
const gap = '\n;\n';

/** The findings with their places, each once: `d1 accounts.email: email`. */
export function findings(traces: readonly Trace[], needles: readonly Needle[]): string[] {
  const texts = Map.groupBy(traces, ([place]) => place.replace(/[\da-f]{8}-[\da-f-]{27}/g, '*'));
  const found = [...texts].flatMap(([place, here]) => {
    const whole = [...new Set(here.map(([, text]) => text))].join(gap);
    return search(whole, needles).map((kind) => `${place}: ${kind}`);
  });
  return found.sort();
}
