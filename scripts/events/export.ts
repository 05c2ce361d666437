import type { Ask } from '../d1-client.ts';

/** A row of the table `events`. */
interface Row {
  id: string;
  at: number;
  properties: string;
  [column: string]: string | number;
}

/** Rows that one question asks for. */
const page = 2000;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function question(since: number, until: number, last: Row | undefined): string {
  const after = last ? `AND (at, id) > (${last.at}, ${quoted(last.id)})` : '';
  return `SELECT * FROM events WHERE at >= ${since} AND at < ${until} ${after}
    ORDER BY at, id LIMIT ${page}`;
}

/** An event as one line of JSON, its time in UTC. */
function lineOf({ properties, at, ...row }: Row): string {
  return JSON.stringify({
    at: new Date(at).toISOString(),
    ...row,
    properties: JSON.parse(properties),
  });
}

/**
 * Says every event from `since` to before `until` (ms since 1970), oldest first, a line of JSON each.
 *
 * @throws Refused when D1 does not answer
 */
export async function exportEvents(
  { since, until }: { since: number; until: number },
  ask: Ask,
  say: (line: string) => void,
): Promise<void> {
  let last: Row | undefined;
  do {
    const [rows = []] = await ask<Row>(question(since, until, last));
    for (const row of rows) say(lineOf(row));
    last = rows.length < page ? undefined : rows.at(-1);
  } while (last);
}
