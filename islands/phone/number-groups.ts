import { digitsOf } from './phone-parse.ts';

/** Fills the digits so far into a template such as `(xxx) xxx-xxxxyy`; the first `y` take what `x` leave. */
function fill(template: string, digits: string, spare: number): string {
  let at = 0;
  let text = '';
  for (const sign of template) {
    if (at === digits.length) break;
    if (sign < 'x') text += sign;
    else if (sign === 'x' || spare-- > 0) text += digits[at++];
  }
  return text;
}

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
    const isWhole = start.startsWith('^');
    const pattern = start.slice(isWhole ? 1 : 0).replaceAll('#', '\\d');
    const written = isWhole ? digits : rest;
    const spare = written.length - (template.split('x').length - 1);
    if ((isWhole && !trunk) || !new RegExp(`^(?:${pattern})`).test(rest)) continue;
    if (spare > template.split('y').length - 1) continue;
    const shown = isWhole
      ? fill(template, digits, spare)
      : (trunk + fill(template, rest, spare)).trim();
    if (spare >= 0) return shown;
    partial ??= shown;
  }
  return partial ?? digits;
}
