type Link = { href: string; label: string };

type Props = {
  /** A translated sentence with `[name]` where a link stands. */
  text: string;
  links: Readonly<Record<string, Link>>;
};

/** A sentence with links inside it, in the word order of its language. */
export function Sentence({ text, links }: Props) {
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
