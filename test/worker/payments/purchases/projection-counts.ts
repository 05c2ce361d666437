import { env } from 'cloudflare:test';

/** How many rows D1 has of an account: purchases, what is held, money. */
export const copied = async (account: string) =>
  Promise.all(
    ['purchases', 'holdings', 'ledger'].map((table) =>
      env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE account = ?`)
        .bind(account)
        .first('n'),
    ),
  );
