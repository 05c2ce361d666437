/** The pages whose links have a code in the fragment. */
const linkPages = '(m|d|i|cancel|manage(?:/(?:card|receipt))?)';

/** A link whose `#` became part of its path or query: with what was added before it, and its code. */
const swallowed = new RegExp(`^/+${linkPages}/*([?&;][^#]*)?#[^\\w-]*([\\w-]*)`, 'i');
/** A link's path with characters that are not part of it. Its fragment, if any, is still in the browser. */
const surrounded = new RegExp(`^/+${linkPages}[^\\w-]*$`, 'i');
const withSlash = /^\/+(?!(?:api|admin|console|webhooks)\/)(\.?\w[\w.-]*(?:\/+\w[\w.-]*)*)\/+$/;

/** Codes have at least 22 characters; a shorter word after a `#` in a query is the query's own. */
const minCodeLength = 20;
const maxRounds = 5;

/** Line breaks, and characters that nobody sees, in percent encoding. */
const invisible = /%(?:[01][\da-f]|c2%a[0d]|e2%80%8[b-f]|e2%81%a0|ef%bb%bf)/gi;

/** Undoes what mail scanners do, repeatedly: percent encoding and HTML entities. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < maxRounds; round += 1) {
    decoded = decoded
      .replace(invisible, '')
      .replace(/%ef%bc%83/gi, '#')
      .replace(/%([2-7][\da-f])/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replace(/&amp;/gi, '&')
      .replace(/&(?:#0*35|#x0*23|num);/gi, '#');
  }
  return decoded;
}

/**
 * The URL that was meant, as path, query and fragment; null if nothing is wrong. Mail scanners encode a link's `#`,
 * add parameters and punctuation, and change case; people and servers add a slash to a page's path.
 */
export function repairUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | null {
  const [, link = '', query = '', code = ''] = swallowed.exec(decode(pathname + search)) ?? [];
  if (link && (!query || code.length >= minCodeLength))
    return `/${link.toLowerCase()}${code && `#${code}`}`;
  const path = decode(pathname);
  const page =
    surrounded.exec(path)?.[1]?.toLowerCase() ?? withSlash.exec(path)?.[1]?.replace(/\/+/g, '/');
  return page === undefined || pathname === `/${page}` ? null : `/${page}${search}`;
}
