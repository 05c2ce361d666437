import type { Query } from '../wrangler.ts';

interface Row {
  id: string;
  occurred_at: number;
  properties: string;
  [column: string]: string | number;
}

const pageSize = 2000;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function pageQuery(since: number, until: number, last: Row | undefined): string {
  const after = last ? `AND (occurred_at, id) > (${last.occurred_at}, ${quoted(last.id)})` : '';
  return `SELECT * FROM events WHERE occurred_at >= ${since} AND occurred_at < ${until} ${after}
    ORDER BY occurred_at, id LIMIT ${pageSize}`;
}

function lineOf({ properties, occurred_at, ...row }: Row): string {
  return JSON.stringify({
    occurred_at: new Date(occurred_at).toISOString(),
    ...row,
    properties: JSON.parse(properties),
  });
}

/** From `since` to before `until`, ms since 1970; oldest first, one JSON line each. */
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
