import { env } from 'cloudflare:test';
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';

/** How D1 can go wrong in part: it answers late, or it reads and does not write. */
export const partFaults = ['is slow', 'refuses writes'] as const;
export type PartFault = (typeof partFaults)[number];

type Call = () => Promise<unknown>;

/** Ms that a slow answer takes; `hurry` makes them fewer. */
const late = 2_000;

const ways: Record<PartFault, (writes: boolean, call: Call) => Promise<unknown>> = {
  'is slow': async (_, call) => {
    await new Promise((resolve) => setTimeout(resolve, late));
    return call();
  },
  'refuses writes': async (writes, call) => {
    if (writes) throw new Error('the binding is down: it is read-only');
    return call();
  },
};

const writing = /\b(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\b/i;

interface Written {
  statement: D1PreparedStatement;
  writes: boolean;
}

/** What stands behind a statement, for the batch that wants the real one. */
const behind = new WeakMap<object, Written>();

function fronted({ statement, writes }: Written, fault: PartFault): D1PreparedStatement {
  const made = new Proxy(statement, {
    get: (_, name) => {
      const member: unknown = Reflect.get(statement, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(member, statement, args);
        if (name === 'bind') return fronted({ statement: call(), writes }, fault);
        return ways[fault](writes, call);
      };
    },
  });
  behind.set(made, { statement, writes });
  return made;
}

/** The tests' D1, of which a part goes wrong; by its words a statement reads or writes. */
export function partlyDown(fault: PartFault): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const all = statements.flatMap((statement) => behind.get(statement) ?? []);
    const call = () => env.DB.batch(all.map(({ statement }) => statement));
    return ways[fault](
      all.some(({ writes }) => writes),
      call,
    );
  };
  const prepare = (sql: string) =>
    fronted({ statement: env.DB.prepare(sql), writes: writing.test(sql) }, fault);
  return { prepare, batch } as unknown as D1Database;
}
