import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Ask } from '../../../scripts/d1-client.ts';

type Row = Record<string, string | number>;

/** A database of the command's own, with these events; what a row does not say is `x`. */
export function database(rows: readonly Row[]): Ask {
  const db = new DatabaseSync(':memory:');
  db.exec(readFileSync('worker/migrations/0021_events.sql', 'utf8'));
  const names = db.prepare('SELECT name FROM pragma_table_info(?)').all('events') as Row[];
  const columns = names.map(({ name }) => String(name));
  const values = columns.map(() => '?').join();
  const insert = db.prepare(`INSERT INTO events (${columns.join()}) VALUES (${values})`);
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? 'x'));
  return async <Of>(sql: string) => [db.prepare(sql).all() as Of[]];
}
