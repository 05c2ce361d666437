import type { D1Database } from '@cloudflare/workers-types';
import type { Env } from './env.ts';
import { Unavailable } from './errors.ts';
import { hmacBytesOf, permanentSecret } from './hmac.ts';
import {
  type DatabaseNumber,
  databasesForHash,
  extensionsOf,
  numberInCode,
  numberInId,
} from './rules/database-number.ts';

/** `Env` cannot list them: `ACCOUNT_DATABASES` says how many there are. */
const bound = (env: Env, number: DatabaseNumber): D1Database | undefined =>
  Reflect.get(env, `DB_${number}`);

export function databaseAt(env: Env, number: DatabaseNumber): D1Database {
  if (number === 0) return env.DB;
  const database = bound(env, number);
  if (!database) throw new Unavailable(`DB_${number}`, 'not bound');
  return database;
}

/** The database with all rows of an account. @param id of the account, or of one of its attempts */
export const accountDatabase = (env: Env, id: string): D1Database =>
  databaseAt(env, numberInId(id));

/** Anyone may type a code: one that names an unknown database is searched in `DB`. */
export const codeDatabase = (env: Env, code: string): D1Database =>
  bound(env, numberInCode(code)) ?? env.DB;

/** For rare calls such as an operator's search. `DB` is the first. */
export function everyAccountDatabase(env: Env): D1Database[] {
  const last = extensionsOf(env.ACCOUNT_DATABASES)[0]?.last ?? 0;
  return Array.from({ length: last + 1 }, (_, number) => databaseAt(env, number));
}

/** One database after another. @param last account id at which the previous page ended; empty for the first page */
export async function pageOfAll<Row>(
  env: Env,
  last: string,
  limit: number,
  read: (db: D1Database, isContinued: boolean, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let isContinued = true;
  for (const db of everyAccountDatabase(env).slice(numberInId(last))) {
    rows.push(...(await read(db, isContinued, limit - rows.length)));
    if (rows.length >= limit) break;
    isContinued = false;
  }
  return rows;
}

/** Uniform. The secret must never change, because that would move the keys. */
async function hashOf(env: Env, key: string): Promise<number> {
  const mac = await hmacBytesOf(permanentSecret(env), 'database', key);
  return new DataView(mac).getUint32(0);
}

/** The databases that may have a key's row; a new row goes to the first. */
export async function numbersFor(env: Env, key: string): Promise<DatabaseNumber[]> {
  const extensions = extensionsOf(env.ACCOUNT_DATABASES);
  return extensions.length === 1 ? [0] : databasesForHash(await hashOf(env, key), extensions);
}

/** For rows kept for days. Each new row cleans up its database, so all are used. An extension moves keys. */
export async function shortTermDatabase(env: Env, key: string): Promise<D1Database> {
  const last = extensionsOf(env.ACCOUNT_DATABASES)[0]?.last ?? 0;
  return last === 0 ? env.DB : databaseAt(env, (await hashOf(env, key)) % (last + 1));
}

export const databasesFor = async (env: Env, key: string): Promise<D1Database[]> =>
  (await numbersFor(env, key)).map((number) => databaseAt(env, number));

export const databaseFor = async (env: Env, key: string): Promise<D1Database> =>
  (await databasesFor(env, key))[0] ?? env.DB;
