import type { Query } from '../wrangler.ts';

/** A row of the table `events`. */
interface Row {
  id: string;
  at: number;
  properties: string;
  [column: string]: string | number;
}

const pageSize = 2000;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function pageQuery(since: number, until: number, last: Row | undefined): string {
  const after = last ? `AND (at, id) > (${last.at}, ${quoted(last.id)})` : '';
  return `SELECT * FROM events WHERE at >= ${since} AND at < ${until} ${after}
    ORDER BY at, id LIMIT ${pageSize}`;
}

function lineOf({ properties, at, ...row }: Row): string {
  return JSON.stringify({
    at: new Date(at).toISOString(),
    ...row,
    properties: JSON.parse(properties),
  });
}

/** Prints every event from `since` to before `until` (ms since 1970), oldest first, one JSON line each. */
export async function exportEvents(
  { since, until }: { since: number; until: number },
  query: Query,
  say: (line: string) => void,
): Promise<void> {
  let last: Row | undefined;
  do {
    const [rows = []] = await query<Row>(pageQuery(since, until, last));
    for (const row of rows) say(lineOf(row));
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last);
}
