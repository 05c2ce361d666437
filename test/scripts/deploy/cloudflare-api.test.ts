import { describe, expect, test } from 'vitest';
import { cloudflareApi, credentialsOf } from '../../../scripts/deploy/cloudflare-api.ts';
import { ensureAffinity } from '../../../scripts/deploy/version-affinity.ts';
import { account, createCloudflare, token } from '../../fakes/cloudflare/server.ts';
import { fixture } from './deploy-fixture.ts';

const choose = () => Promise.reject(new Error('asked'));
const wrangler = (answers: Record<string, string>) => async (args: string[]) => ({
  code: 0,
  stdout: answers[args[0] ?? ''] ?? '',
  stderr: '',
});
const one = { loggedIn: true, accounts: [{ id: 'a1', name: 'One' }] };
const two = { loggedIn: true, accounts: [...one.accounts, { id: 'a2', name: 'Two' }] };

describe('the Cloudflare login', () => {
  test('is wrangler’s, with its only account', async () => {
    const run = wrangler({ auth: '{"type":"oauth","token":"t"}', whoami: JSON.stringify(one) });
    expect(await credentialsOf(run, choose, {})).toMatchObject({ account: 'a1', token: 't' });
  });

  test('with several accounts the person chooses one', async () => {
    const run = wrangler({ auth: '{"token":"t"}', whoami: JSON.stringify(two) });
    expect(await credentialsOf(run, async () => 'a2', {})).toMatchObject({ account: 'a2' });
  });

  test('is taken from the environment in CI', async () => {
    const variables = { CLOUDFLARE_API_TOKEN: 'ci', CLOUDFLARE_ACCOUNT_ID: 'a3' };
    const run = () => Promise.reject(new Error('wrangler was asked'));
    expect(await credentialsOf(run, choose, variables)).toMatchObject({
      account: 'a3',
      token: 'ci',
    });
  });

  test('without a login the command prints one sentence', async () => {
    const run = wrangler({ auth: 'Not logged in.', whoami: '{"loggedIn":false}' });
    await expect(credentialsOf(run, choose, {})).rejects.toThrow('Run npx wrangler login');
  });
});

describe('the management API', () => {
  test('lists every page', async () => {
    const { fake, tools } = fixture();
    fake.state.queues = Array.from({ length: 250 }, (_, at) => ({
      queue_id: `q${at}`,
      queue_name: `queue-${at}`,
      consumers: [],
    }));
    expect(await tools.api.list('/accounts/queues')).toHaveLength(250);
  });

  test('a refusal prints the reason and its code', async () => {
    const { tools } = fixture();
    await tools.api.send('POST', '/accounts/queues', { queue_name: 'a' });
    await expect(tools.api.send('POST', '/accounts/queues', { queue_name: 'a' })).rejects.toThrow(
      "Cloudflare refused POST /accounts/queues: Queue name 'a' is already taken. (11009)",
    );
  });

  test('a read is retried, a write is not', async () => {
    const { tools, breakAt, fake } = fixture();
    breakAt(1, 'never');
    expect(await tools.api.list('/accounts/queues')).toEqual([]);
    breakAt(1, 'lost');
    const write = tools.api.send('POST', '/accounts/queues', { queue_name: 'a' });
    await expect(write).rejects.toThrow('Run the command again');
    expect(fake.state.queues).toHaveLength(1);
  });
});

describe('version affinity keeps a visitor on one version', () => {
  test('by a rule that keeps the zone’s other rules', async () => {
    const { tools, fake } = fixture();
    fake.state.rules.zone1 = [{ id: 'r1', ref: 'theirs', expression: 'true' }];
    await ensureAffinity(tools.api, 'https://www.funnel.example');
    await ensureAffinity(tools.api, 'https://www.funnel.example');
    expect(fake.state.rules.zone1?.map(({ ref }) => ref)).toEqual([
      'theirs',
      'funnel_version_affinity',
    ]);
  });

  test.each([
    ['https://funnel.me.workers.dev', 'needs a domain of your own'],
    ['https://funnel.other', 'funnel.other is not in a zone of this account'],
  ])('not at %s', async (site, message) => {
    await expect(ensureAffinity(fixture().tools.api, site)).rejects.toThrow(message);
  });

  test('a login without the permission names the missing permission', async () => {
    const fake = createCloudflare();
    const refusing: typeof fetch = async (url, init) =>
      String(url).includes('/rulesets/')
        ? Response.json(
            { success: false, errors: [{ code: 10000, message: 'Authentication error' }] },
            { status: 403 },
          )
        : fake.fetch(url, init);
    const api = cloudflareApi({ account, token }, refusing, async () => undefined);
    await expect(ensureAffinity(api, 'https://funnel.example')).rejects.toThrow(
      'Zone > Transform Rules > Edit',
    );
  });
});
