import { isScreenId } from '../../worker/experiments/rules/flows.ts';
import type { PageKind } from '../../worker/page-types.ts';
import { pageKind } from '../../worker/page-types.ts';

/**
 * The kind that a page at this path has to have, whatever it says of its kind.
 *
 * @param screen what the page says that it shows; asked only where the path names no screen, as an
 *   alias does
 */
export function kindAt(path: string, screen = ''): PageKind {
  const id = path.slice(1);
  if (id === 'i') return 'private';
  return pageKind(isScreenId(id) ? id : screen);
}
