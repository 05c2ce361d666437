import { digitsOf } from '../../locales/format/plain-text.ts';

/**
 * Groups the digits typed so far in a country's format. A number that has all digits of a template takes that one, as
 * libphonenumber would; while some are missing, the first one is taken that has room.
 * @param groups of the country, derived from libphonenumber's metadata by `scripts/build/number-groups.ts`: the
 * national prefix, then templates with the first digits that each applies to (`#` is any digit): `1;310~
 * xxx-xxxx;[2-9]~ (xxx) xxx-xxxx`; a `y` is a digit that may be missing. A template that begins with a space is
 * separated from the prefix; one whose first digits begin with `^` contains it. Empty leaves the text unchanged.
 */
export function group(text: string, groups: string): string {
  const [prefix = '', ...templates] = groups.split(';');
  if (templates.length === 0 || /[+＋]/.test(text)) return text;
  const digits = digitsOf(text);
  const trunk = prefix && digits.startsWith(prefix) ? prefix : '';
  const rest = digits.slice(trunk.length);
  let partial: string | undefined;
  for (const each of templates) {
    const [start = '', template = ''] = each.split('~');
    const isWhole = start[0] === '^';
    const written = isWhole ? digits : rest;
    const missing = template.split('x').length - 1 - written.length;
    let spare = -missing;
    let at = 0;
    let shown = isWhole ? '' : trunk;
    for (const sign of template) {
      if (sign < 'x') shown += at < written.length ? sign : '';
      else if (sign === 'x' || spare-- > 0) shown += written[at++] ?? '';
    }
    const applies = new RegExp(`^(?:${start.replaceAll('#', '\\d')})`).test(rest);
    if (!applies || (isWhole && !trunk) || at < written.length) continue;
    partial ??= shown.trim();
    if (missing <= 0) return shown.trim();
  }
  return partial ?? digits;
}
