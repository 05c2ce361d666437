/** A text in three parts: the words that it shares with the other one at both ends, and what it has between them. */
export function differenceFrom(
  text: string,
  other: string,
): { start: string; middle: string; end: string } {
  const [words, others] = [text, other].map((one) => one.split(/(?<=\s)/)) as [string[], string[]];
  const least = Math.min(words.length, others.length);
  const isSame = (at: number) => words.at(at)?.trim() === others.at(at)?.trim();
  let [start, end] = [0, 0];
  while (start < least && isSame(start)) start += 1;
  while (end < least - start && isSame(-1 - end)) end += 1;
  const last = words.length - end;
  const part = (from: number, to: number) => words.slice(from, to).join('');
  return { start: part(0, start), middle: part(start, last), end: part(last, words.length) };
}
