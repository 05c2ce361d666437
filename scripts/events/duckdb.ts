import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CommandError } from '../command.ts';

const noEvents = `SELECT * FROM (SELECT '' AS id, '' AS name, TIMESTAMP '1970-01-01' AS occurred_at,
  '' AS visitor_id, '' AS session_id, '' AS screen, '' AS flow, '' AS experiment, '' AS arm, '' AS arms,
  '' AS country, '' AS language, '' AS device, '' AS source, '' AS landing, '' AS version, '' AS consent,
  '{}'::JSON AS properties, DATE '1970-01-01' AS date, 0 AS hour) WHERE false`;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export type ResultRows = Record<string, unknown>[];

/** Runs one statement over the view `events` of these Parquet files. */
export async function queryEvents(files: readonly string[], sql: string): Promise<ResultRows> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection: DuckDBConnection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const list = files.map(quoted).join(', ');
    const source =
      files.length > 0 ? `SELECT * FROM read_parquet([${list}], union_by_name = true)` : noEvents;
    await connection.run(`CREATE VIEW events AS ${source}`);
    const result = await connection.runAndReadAll(sql);
    return result.getRowObjectsJson();
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
