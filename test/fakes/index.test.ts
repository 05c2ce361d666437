import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { createFakes } from './index.ts';

const key = { authorization: 'Bearer sk_test_fakes' };
const customer = (address: string) =>
  new Request(`${address}/v1/customers`, {
    method: 'POST',
    headers: key,
    body: new URLSearchParams({ email: 'visitor@example.com' }),
  });

test.each(['https://api.stripe.com', 'http://localhost:8787/fakes/api.stripe.com'])(
  'fakes: the vendor behind %s answers',
  async (address) => {
    const { fetch, stripe } = createFakes();
    const made = await (await fetch(customer(address))).json();
    expect(stripe.state.customers[made.id]?.email).toBe('visitor@example.com');
    const asked = { headers: key };
    const read = await fetch(new Request(`${address}/v1/customers/${made.id}`, asked));
    expect(await read.json()).toMatchObject({ id: made.id });
  },
);

test('fakes: a request of another runtime is accepted by its shape', async () => {
  const given = customer('https://api.stripe.com');
  const { status } = await createFakes().fetch({
    url: given.url,
    method: given.method,
    headers: [...given.headers],
    arrayBuffer: () => given.arrayBuffer(),
  });
  expect(status).toBe(200);
});

test.each([
  ['https://js.stripe.com/endive/stripe.js', 'text/javascript'],
  ['https://js.stripe.com/v3/', 'text/javascript'],
  ['http://localhost:8787/fakes/js.stripe.com/v3/stripe.js', 'text/javascript'],
  ['https://js.stripe.com/v3/field.html?type=cardCvc', 'text/html'],
  ['https://js.stripe.com/v3/challenge.js', 'text/javascript'],
])('fakes: %s is served as %s', async (address, type) => {
  const answer = await createFakes().fetch(new Request(address));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain(type);
  expect((await answer.text()).length).toBeGreaterThan(100);
});

test.each([
  'https://example.com/x',
  'http://localhost:8787/fakes/example.com/x',
  'https://js.stripe.com/v3/nothing.js',
])('fakes: %s is answered 502', async (address) => {
  const answer = await createFakes().fetch(new Request(address));
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain('no fake');
});

test('fakes: the state file is read after a restart', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'fakes-')), 'state', 'fakes.json');
  const made = await (await createFakes({ file }).fetch(customer('https://api.stripe.com'))).json();
  await vi.waitFor(() => readFile(file), pollTimeout);
  expect(createFakes({ file }).stripe.state.customers[made.id]).toBeDefined();
});
