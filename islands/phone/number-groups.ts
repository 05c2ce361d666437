import { digitsOf, plain } from './phone-parse.ts';

/** The digits so far, in a template such as `(xxx) xxx-xxxx`. */
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
 * Groups the digits that were typed so far as a country writes them.
 *
 * @param groups of the country, cut from libphonenumber's metadata by
 * `scripts/build/number-groups.ts`: the national prefix, then templates with the first digits that
 * each is for (`#` is any digit): `1;310~ xxx-xxxx;[2-9]~ (xxx) xxx-xxxx`. A template that begins
 * with a space stands apart from the prefix. Empty leaves the text as it is.
 */
export function group(text: string, groups: string): string {
  const [prefix = '', ...templates] = groups.split(';');
  if (templates.length === 0 || plain(text).includes('+')) return text;
  const digits = digitsOf(text);
  const trunk = prefix && digits.startsWith(prefix) ? prefix : '';
  const rest = digits.slice(trunk.length);
  for (const each of templates) {
    const [start = '', template = ''] = each.split('~');
    const fits = new RegExp(`^(?:${start.replaceAll('#', '\\d')})`).test(rest);
    if (!fits || rest.length > template.split('x').length - 1) continue;
    return (trunk + fill(template, rest)).trim();
  }
  return digits;
}
