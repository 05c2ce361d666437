import { createFakes } from '../../fakes/index.ts';
import { openFunnel } from './funnel.ts';
import { cpuOf } from './process.ts';

interface Buyer {
  address: string;
  email: string;
  token?: string;
}

/** Processes items with this much concurrency. @returns how many per second */
async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  const waiting = [...items];
  const one = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: most }, one));
  return (items.length / (performance.now() - start)) * 1000;
}

/** Sign-ups, and purchases that each start an account's object, by number of concurrent accounts. */
export async function posts(accounts: number, levels: readonly number[]) {
  const funnel = await openFunnel(createFakes().fetch as never);
  const api = `http://127.0.0.1:${funnel.ports.funnel}/api/v1`;
  const post = async (path: string, { address, token }: Buyer, body: object) => {
    const response = await fetch(`${api}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': address,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: { access_token: string } };
  };
  const signUp = async (buyer: Buyer) => {
    const sent = {
      email: buyer.email,
      user_uuid: crypto.randomUUID(),
      landing_type: 'split_fullPrice',
    };
    buyer.token = (await post('/signup', buyer, sent)).data.access_token;
  };
  const buy = async (buyer: Buyer) => {
    const card = { gateway: 'stripe', payment_method_nonce: 'pm_card_visa', user_data: {} };
    await post('/users/me/subscriptions/polling/monthly_usd', buyer, card);
  };
  const table: Record<string, Record<string, number>> = {};
  const measure = async (level: number) => {
    const buyers = Array.from(
      { length: accounts },
      (_, at): Buyer => ({
        address: `10.${level}.${at >> 8}.${at & 255}`,
        email: `${crypto.randomUUID()}@example.com`,
      }),
    );
    const before = cpuOf(funnel.pid);
    const signups = await inParallel(buyers, level, signUp);
    const between = cpuOf(funnel.pid);
    const orders = await inParallel(buyers, level, buy);
    const after = cpuOf(funnel.pid);
    return {
      'sign-ups/s': Math.round(signups),
      'CPU ms a sign-up': (between - before) / 1000 / accounts,
      'orders/s': Math.round(orders),
      'CPU ms an order': (after - between) / 1000 / accounts,
    };
  };
  await measure(255);
  for (const level of levels) table[`${level} at once`] = await measure(level);
  await funnel.server.dispose();
  return table;
}
