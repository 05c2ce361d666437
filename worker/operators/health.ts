import { build } from 'virtual:client';
import type { Handler } from 'hono';
import type { App } from '../env.ts';
import { paymentProblems } from '../payments/gateways/settings.ts';
import { secretProblems } from './secret-problems.ts';

type State = 'ok' | 'down';

const limit = 1000;

/** A binding that is missing throws at once; that, too, is being down. */
async function probe(ask: () => Promise<unknown>): Promise<State> {
  const late = new Promise<State>((resolve) => setTimeout(resolve, limit, 'down'));
  const answer = async (): Promise<State> => {
    await ask();
    return 'ok';
  };
  return Promise.race([answer().catch((): State => 'down'), late]);
}

/** 200 with the build, the state of each binding, and what is wrong with payments and secrets; 503 when anything is. */
export const health: Handler<App> = async (c) => {
  const { FUNNEL, DB, PURCHASES } = c.env;
  const [kv, d1, purchases] = await Promise.all([
    probe(() => FUNNEL.get('config.json')),
    probe(() => DB.prepare('SELECT 1').first()),
    probe(() => PURCHASES.getByName('health').paid()),
  ]);
  const bindings = { kv, d1, purchases };
  const payments = paymentProblems(c.env);
  const up = Object.values(bindings).every((state) => state === 'ok');
  const secrets = secretProblems(c.env);
  const ok = up && payments.length === 0 && secrets.length === 0;
  const body = { ok, build, bindings, payments, secrets };
  return c.json(body, ok ? 200 : 503, { 'cache-control': 'no-store' });
};
