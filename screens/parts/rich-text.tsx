import { interpolate } from '../../locales/format/interpolate.ts';

type LinkedTextProps = {
  /** A sentence with links as `[label](name)`. */
  text: string;
  /** Addresses by name; a link whose name is not here stays text. */
  links: Readonly<Record<string, string>>;
  /** What stands for `{{name}}`; never read for links itself. */
  facts: Readonly<Record<string, string>>;
};

/** A sentence with links inside it. */
export function LinkedText({ text, links, facts }: LinkedTextProps) {
  const pieces = text.split(/\[([^\]]+)\]\((\w+)\)/);
  return pieces.map((piece, at) => {
    if (at % 3 === 2) return null;
    const href = at % 3 === 1 ? links[pieces[at + 1] ?? ''] : undefined;
    const words = interpolate(piece, facts);
    if (!href) return words;
    return (
      <a key={`${href} ${piece}`} href={href}>
        {words}
      </a>
    );
  });
}

type Link = { href: string; label: string };

type SentenceProps = {
  /** A translated sentence with `[name]` where a link stands. */
  text: string;
  links: Readonly<Record<string, Link>>;
};

/** A sentence with links inside it, in the word order of its language. */
export function Sentence({ text, links }: SentenceProps) {
  return text.split(/\[(\w+)\]/).map((piece, at) => {
    const link = at % 2 ? links[piece] : undefined;
    if (!link) return piece;
    return (
      <a key={piece} href={link.href}>
        {link.label}
      </a>
    );
  });
}
