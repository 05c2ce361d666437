export const text = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

export const rowsOf = (html: string) =>
  html
    .split(/<tr[^>]*>/)
    .slice(1)
    .map((row) => text(row.split('</tr>')[0] ?? '').trim());

/** A row by its name. */
export const tableRow = (html: string, name: string) =>
  rowsOf(html).find((row) => row.startsWith(`${name} `)) ?? '';

/** A row by the id that stands after its name; only what follows the name. */
export const rowOfId = (html: string, id: string) => {
  const row = rowsOf(html).find((one) => one.includes(` ${id} `)) ?? '';
  return row.slice(row.indexOf(` ${id} `) + 1);
};
