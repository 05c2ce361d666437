import { interpolate } from '../../locales/format/interpolate.ts';

type Props = {
  /** A sentence with links as `[label](name)`. */
  text: string;
  /** Addresses by name; a link whose name is not here stays text. */
  links: Readonly<Record<string, string>>;
  /** What stands for `{{name}}`; never read for links itself. */
  facts: Readonly<Record<string, string>>;
};

/** A sentence with links inside it. */
export function LinkedText({ text, links, facts }: Props) {
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
