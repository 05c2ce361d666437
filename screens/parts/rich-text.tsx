import { interpolate } from '../../locales/format/interpolate.ts';

type LinkedTextProps = {
  /** A sentence with links as `[label](name)`. */
  text: string;
  /** Paths by name; an unknown name renders plain text. */
  links: Readonly<Record<string, string>>;
  /** Values of `{{name}}` placeholders; never parsed for links. */
  facts: Readonly<Record<string, string>>;
};

/** For article texts, where the label is part of the sentence. */
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
  /** A sentence with `[name]` where a link stands. */
  text: string;
  links: Readonly<Record<string, Link>>;
};

/** For interface texts, where the label comes from elsewhere. */
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
