/** Ways in which a text can be written down, each turned back; what does not fit stays as it is. */
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

/** What people write between the digits of a number. */
const between = /(?<=\d)[\s\u00a0().\-–/+]+(?=\d)/g;

/**
 * A text as it is, as it reads after each round of decoding, and each of these without what stands
 * between digits, and with spaces for plus signs.
 */
export function viewsOf(text: string): string[] {
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
