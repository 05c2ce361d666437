import { viewsOf } from './encodings.ts';
import type { Needle } from './secrets.ts';

/** What of the needles a text holds, however it is written: `email`, `phone base64`. */
export function search(text: string, needles: readonly Needle[]): string[] {
  const views = viewsOf(text);
  const folded = views.map((view) => view.toLowerCase());
  const found = needles.filter((needle) =>
    (needle.folded ? folded : views).some((view) => view.includes(needle.text)),
  );
  return [...new Set(found.map(({ names }) => names))].sort();
}
