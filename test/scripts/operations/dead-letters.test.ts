import { expect, test } from 'vitest';
import { Unconfirmed } from '../../../scripts/operations/admin-client.ts';
import { deadLetters, replay } from '../../../scripts/operations/dead-letters.ts';
import { world } from './world.ts';

const letter = { id: 'q:m', queue: 'q', message: 'm', reason: 'unknown', at: 0, body: { sum: 1 } };

test('letters are rows of a table', async () => {
  const { context, asked, said } = world([{ ...letter, replayed_at: null }]);
  await deadLetters(false, context);
  expect(asked).toEqual([['/dead-letters']]);
  expect(said).toEqual([
    'id                      since  replayed    message',
    'q:m  1970-01-01T00:00:00.000Z        no  {"sum":1}',
  ]);
});

test('those that were replayed only when asked for', async () => {
  const { context, asked, said } = world([]);
  await deadLetters(true, context);
  expect([asked, said]).toEqual([[['/dead-letters?all=true']], ['No dead letters.']]);
});

test('a letter is replayed by one command, however often its reply is lost', async () => {
  const { context, asked, said } = world(new Unconfirmed('lost'), { replayed: false });
  await replay('q:m', 'k', context);
  const command = ['/dead-letters', { id: 'q:m', key: 'k' }];
  expect(asked).toEqual([command, command]);
  expect(said).toEqual(['q:m lies in its queue again']);
});
