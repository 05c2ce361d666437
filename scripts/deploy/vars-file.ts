import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Production's variables are in `wrangler.toml`, another environment's in a separate file. */
export const varsFileOf = (environment: string | null): string =>
  environment === null ? 'wrangler.toml' : `wrangler.${environment}.toml`;

/** JSON in TOML's literal string needs no escapes, except DEL, which JSON leaves unescaped and TOML forbids. */
function quoted(value: string): string {
  const isLiteral = value.includes('"') && !/['\p{Cc}]/u.test(value);
  return isLiteral ? `'${value}'` : JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** The text with these variables in its table `[vars]`; everything else stays. */
export function withVars(toml: string, values: Readonly<Record<string, string>>): string {
  const lines = toml.trim() ? toml.split('\n') : [];
  const header = lines.findIndex((line) => /^\s*\[vars\]\s*(#.*)?$/.test(line));
  const start = header < 0 ? lines.push('[vars]') - 1 : header;
  for (const [name, value] of Object.entries(values)) {
    const after = lines.slice(start + 1);
    const next = after.findIndex((line) => /^\s*\[/.test(line));
    const end = next < 0 ? lines.length : start + 1 + next;
    const line = `${name} = ${quoted(value)}`;
    const at = lines.findIndex(
      (each, index) => index > start && index < end && new RegExp(`^\\s*${name}\\s*=`).test(each),
    );
    if (at >= 0) lines[at] = line;
    else {
      let last = end;
      while (last > start + 1 && lines[last - 1]?.trim() === '') last -= 1;
      lines.splice(last, 0, line);
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

export function writeVars(file: string, values: Readonly<Record<string, string>>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = withVars(before, values);
  if (after !== before) writeFileSync(file, after);
}
