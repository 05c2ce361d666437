import type { World } from './bindings.ts';
import { settled } from './scenario-pay.ts';
import { address, e164, pan } from './test-identities.ts';
import type { Visitor } from './visitor.ts';

/** Where an outside product API serves the calls, it is told what they say. */
export async function askPortal(world: World): Promise<void> {
  const post = (path: string, body: object) =>
    world.send(
      `/api/v1${path}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-portal' },
        body: JSON.stringify(body),
      },
      { PRODUCT_API_URL: 'https://portal.test/api' },
    );
  await post('/phone-number-info', { phone: e164, country: 'DE' });
  await post('/signup', { email: address, name: address });
  await post('/users/me/subscriptions/polling/monthly_eur', { payment_method_nonce: pan });
}

/** The owner takes a copy, and goes. */
export async function leave(visitor: Visitor, world: World): Promise<void> {
  await settled(visitor, world);
  await visitor.get('/users/me/export');
  await visitor.call('DELETE', '/users/me');
  await settled(visitor, world);
}
