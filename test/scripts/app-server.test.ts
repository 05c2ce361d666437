import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type ChangeMessage,
  consumeEntitlementChanges,
} from '../../worker/entitlements/change-consumer.ts';
import type { Env } from '../../worker/platform/env.ts';
import type { AccountId } from '../../worker/platform/types.ts';

const folder = '.cache/app-server';
const file = resolve(folder, `receiver-${process.pid}.mjs`);
const newKey = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newKey();
let stop = () => {};

afterAll(() => {
  stop();
  rmSync(file, { force: true });
});

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Runs the receiver from the documentation. @returns its URL */
async function startReceiver(): Promise<string> {
  const page = readFileSync('worker/entitlements/for-app-servers.md', 'utf8');
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  const port = await freePort();
  const vars = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn(process.execPath, [file], { env: vars, stdio: 'inherit' });
  stop = () => receiver.kill();
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400);
  return url;
}

const row = { first: async () => null, run: async () => ({}) };
const DB = { prepare: () => ({ bind: () => row }) };

const change = (version: number): ChangeMessage => ({
  account: 'a1' as AccountId,
  version,
  active: [
    { slot: 'main', kind: 'plan', plan: 'monthly_jpy', reason: 'subscription', until: null },
  ],
  at: Date.now(),
});

test('documentation: the sample receiver accepts messages signed by the Worker, once, in any order, and refuses others', async () => {
  const url = await startReceiver();
  const states: string[] = [];
  const realFetch = globalThis.fetch;
  const send = async (version: number, secrets: string) => {
    const env = {
      ENVIRONMENT: 'test',
      ENTITLEMENT_WEBHOOK_URL: url,
      ENTITLEMENT_WEBHOOK_SECRETS: secrets,
      DB,
    } as unknown as Env;
    const statuses: number[] = [];
    globalThis.fetch = async (input, init) => {
      const response = await realFetch(input, init);
      statuses.push(response.status);
      states.push(await response.clone().text());
      return response;
    };
    const message = { body: change(version), attempts: 1 };
    const again = await consumeEntitlementChanges([message], env, () => {}).finally(() => {
      globalThis.fetch = realFetch;
    });
    return [statuses[0], again.size];
  };
  expect(await send(2, secret)).toEqual([200, 0]);
  // A later delivery, and a repeated one.
  expect(await send(1, secret)).toEqual([200, 0]);
  expect(await send(2, secret)).toEqual([200, 0]);
  expect(states.map((state) => JSON.parse(state).version)).toEqual([2, 2, 2]);
  // During a rotation either key is enough; an unknown one is refused and retried.
  expect(await send(3, `${newKey()} ${secret}`)).toEqual([200, 0]);
  expect(await send(4, newKey())).toEqual([400, 1]);
  const forged = await realFetch(url, {
    method: 'POST',
    body: '{"data":{"account":"a1","version":9}}',
  });
  expect(forged.status).toBe(400);
});
