import { digitsOf } from './phone-parse.ts';

/** Fills the digits so far into a template such as `(xxx) xxx-xxxx`. */
function fill(template: string, digits: string): string {
  let at = 0;
  let text = '';
  for (const sign of template) {
    if (at === digits.length) break;
    text += sign === 'x' ? digits[at++] : sign;
  }
  return text;
}

/**
 * Groups the digits typed so far in a country's format.
 * @param groups of the country, derived from libphonenumber's metadata by `scripts/build/number-groups.ts`: the
 * national prefix, then templates with the first digits that each applies to (`#` is any digit): `1;310~
 * xxx-xxxx;[2-9]~ (xxx) xxx-xxxx`. A template that begins with a space is separated from the prefix; one whose first
 * digits begin with `^` contains it. Empty leaves the text unchanged.
 */
export function group(text: string, groups: string): string {
  const [prefix = '', ...templates] = groups.split(';');
  if (templates.length === 0 || /[+＋]/.test(text)) return text;
  const digits = digitsOf(text);
  const trunk = prefix && digits.startsWith(prefix) ? prefix : '';
  const rest = digits.slice(trunk.length);
  for (const each of templates) {
    const [start = '', template = ''] = each.split('~');
    const isWhole = start.startsWith('^');
    const pattern = start.slice(isWhole ? 1 : 0).replaceAll('#', '\\d');
    const written = isWhole ? digits : rest;
    if ((isWhole && !trunk) || !new RegExp(`^(?:${pattern})`).test(rest)) continue;
    if (written.length > template.split('x').length - 1) continue;
    return isWhole ? fill(template, digits) : (trunk + fill(template, rest)).trim();
  }
  return digits;
}
