const wordStart = (text: string, length: number) => text.lastIndexOf(' ', length - 1) + 1;

/** How many characters all texts share from this end. */
function shared([first = '', ...others]: string[], at: (index: number) => number): number {
  let length = 0;
  while (
    length < first.length &&
    others.every((text) => text.at(at(length)) === first.at(at(length)))
  )
    length += 1;
  return length;
}

/** One sentence of several that begin and end alike: `Enter the card number and CVV.` */
export function joinedSentences(sentences: string[], language: string): string {
  const [first = ''] = sentences;
  if (sentences.length < 2) return first;
  const start = wordStart(
    first,
    shared(sentences, (index) => index),
  );
  const tail = first.slice(first.length - shared(sentences, (index) => -1 - index));
  // Whole words, where a language separates them.
  const end = first.includes(' ') ? tail.slice(Math.max(0, tail.search(/[ .]/))) : tail;
  const parts = sentences.map((text, index) => {
    const part = text.slice(start, text.length - end.length);
    const isName = start > 0 || index === 0 || !/^\p{Lu}\p{Ll}/u.test(part);
    return isName ? part : part.charAt(0).toLocaleLowerCase(language) + part.slice(1);
  });
  return first.slice(0, start) + new Intl.ListFormat(language).format(parts) + end;
}
