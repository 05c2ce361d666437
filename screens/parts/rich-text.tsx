import { interpolate } from '../../locales/format/interpolate.ts';

type LinkedTextProps = {
  /** A sentence with links as `[label](name)`. */
  text: string;
  /** Paths by name; an unknown name renders plain text. */
  links: Readonly<Record<string, string>>;
  /** Values of `{{name}}` placeholders; never parsed for links. */
  facts: Readonly<Record<string, string>>;
};

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
