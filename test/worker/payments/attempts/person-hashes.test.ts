import { expect, test } from 'vitest';
import { identitiesOf } from '../../../../worker/payments/attempts/person-hashes.ts';

const gateway = { fingerprint: async () => 'f1' };

test.each([
  ['at a provider, the mailbox and the card', {}, ['mailbox:a@x.example', 'method:stripe:f1']],
  [
    'with fakes, whose test cards everybody has, the mailbox',
    { FAKES_URL: '/fakes' },
    ['mailbox:a@x.example'],
  ],
])('person: %s', async (_, env, identities) => {
  expect(await identitiesOf('A+1@x.example', 'pm_1', 'stripe', gateway, env)).toEqual(identities);
});
