import { env, runInDurableObject } from 'cloudflare:test';
import { fieldsOf, type Trace } from './trace.ts';

/** Tables that do not belong to the platform. */
const ownTables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'
  AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`;

/** Every value of every column of every table. */
async function database(db: typeof env.DB): Promise<Trace[]> {
  const { results } = await db.prepare(ownTables).all<{ name: string }>();
  const tables = await Promise.all(
    results.map(async ({ name }: { name: string }) => {
      return fieldsOf(`d1 ${name}`, (await db.prepare(`SELECT * FROM ${name}`).all()).results);
    }),
  );
  return tables.flat();
}

/** Every key and value of KV. */
async function kvFields(): Promise<Trace[]> {
  const values = await Promise.all(
    (await env.FUNNEL.list()).keys.map(async ({ name }: { name: string }): Promise<Trace[]> => {
      return [
        ['kv key', name],
        ['kv value', (await env.FUNNEL.get(name)) ?? ''],
      ];
    }),
  );
  return values.flat();
}

/** Every key and value of an object, and every table of its own; the place of a key is its part before the first colon. */
export const objectFields = (
  kind: string,
  stub: Parameters<typeof runInDurableObject>[0],
): Promise<Trace[]> =>
  runInDurableObject(stub, (_object, { storage: { kv, sql } }) => [
    ...[...kv.list()].flatMap(([key, value]): Trace[] => [
      [`${kind} key`, key],
      ...fieldsOf(`${kind} ${key.split(':', 1)[0]}`, value),
    ]),
    ...[...sql.exec<{ name: string }>(ownTables)].flatMap(({ name }) =>
      fieldsOf(`${kind} ${name}`, [...sql.exec(`SELECT * FROM ${name}`)]),
    ),
  ]);

/** All data stored outside the objects. */
export const storedFields = async (): Promise<Trace[]> => [
  ...(await database(env.DB)),
  ...(await database(env.ANALYTICS)),
  ...(await kvFields()),
];
