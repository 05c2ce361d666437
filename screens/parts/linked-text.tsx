type Props = {
  /** A sentence with links as `[label](name)`. */
  text: string;
  /** Addresses by name; a link whose name is not here stays text. */
  links: Readonly<Record<string, string>>;
};

/** A sentence with links inside it. */
export function LinkedText({ text, links }: Props) {
  const pieces = text.split(/\[([^\]]+)\]\((\w+)\)/);
  return pieces.map((piece, at) => {
    if (at % 3 === 2) return null;
    const href = at % 3 === 1 ? links[pieces[at + 1] ?? ''] : undefined;
    if (!href) return piece;
    return (
      <a key={`${href} ${piece}`} href={href}>
        {piece}
      </a>
    );
  });
}
