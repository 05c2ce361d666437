import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const apply = (db: DatabaseSync, file: string) =>
  db.exec(readFileSync(`worker/analytics/migrations/${file}.sql`, 'utf8'));

const names = ['flow', 'experiment', 'variant', 'country', 'language', 'device', 'source'];
const values = names.map((_, at) => `value ->> ${at}`);
/** The statements of a build without landings. */
const older = {
  insert: `INSERT INTO slices (${names.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?) WHERE true
    ON CONFLICT DO NOTHING`,
  find: `SELECT key AS at, slices.id AS id FROM json_each(?) JOIN slices
    ON ${names.map((name, at) => `${name} = value ->> ${at}`).join(' AND ')}`,
};

test('migration of landings: slices keep their ids, and an older build credits no landing', () => {
  const db = new DatabaseSync(':memory:');
  apply(db, '0001_rollups');
  const stored = [1, 2, 7].map((id) => [id, 'default', 'e', 'a', `C${id}`, 'en', 'ios', '']);
  for (const slice of stored)
    db.prepare('INSERT INTO slices VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(...slice);
  apply(db, '0002_landings');
  const rows = () => db.prepare('SELECT * FROM slices ORDER BY id').all().map(Object.values);
  expect(rows()).toEqual(stored.map((slice) => [...slice, '']));

  const wide = [...names, 'landing'].join(', ');
  for (const landing of ['one_pager', 'direct:signup', '~'])
    db.prepare(`INSERT INTO slices (${wide}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
      ...['default', 'e', 'a', 'C7', 'en', 'ios', '', landing],
    );
  // It takes the last row that it finds.
  const idOf = (slice: string[]) => {
    db.prepare(older.insert).run(JSON.stringify([slice]));
    return db
      .prepare(older.find)
      .all(JSON.stringify([slice]))
      .at(-1)?.id;
  };
  expect(idOf(['default', 'e', 'a', 'C7', 'en', 'ios', ''])).toBe(7);
  const added = idOf(['default', 'e', 'a', 'C8', 'en', 'ios', '']);
  expect(
    rows()
      .find(([id]) => id === added)
      ?.at(-1),
  ).toBe('');
  expect(rows()).toHaveLength(7);
});
